import { _, type CodeKeywordDefinition, type KeywordCxt, str } from 'ajv/dist/2020.js';
import type { CheckBudget } from './check-budget.js';
import { equalItems } from './equal-items.js';
import { JsonValues, type Spend } from './json-values.js';

type LinearKeyword = CodeKeywordDefinition & { readonly keyword: string };

/**
 * `uniqueItems` and `enum` in linear time: Ajv compares every two containers, and a value with every member. As code, because Ajv copies all
 * errors for each one of a keyword that is a function.
 */
export function linearKeywords(budget: CheckBudget): readonly LinearKeyword[] {
  return [uniqueItems(budget), oneOfMembers(budget)];
}

function uniqueItems(budget: CheckBudget): LinearKeyword {
  const spend: Spend = (steps) => budget.spend(steps, 'uniqueItems');
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: {
      message: ({ params: { equal } }) =>
        str`must not hold equal items, as ${_`${equal}[0]`} and ${_`${equal}[1]`} are`,
    },
    code: (context: KeywordCxt) => {
      const { gen, data, schema } = context;
      if (schema !== true) return;
      const find = gen.scopeValue('func', { ref: (items: readonly unknown[]) => equalItems(items, spend) });
      const equal = gen.const('equal', _`${find}(${data})`);
      context.setParams({ equal });
      context.fail(_`${equal} !== undefined`);
    },
  };
}

function oneOfMembers(budget: CheckBudget): LinearKeyword {
  const spend: Spend = (steps) => budget.spend(steps, 'enum');
  return {
    keyword: 'enum',
    schemaType: 'array',
    error: {
      message: 'must be equal to one of the allowed values',
      params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
    },
    code: (context: KeywordCxt) => {
      const { gen, data, schema } = context;
      const members = new JsonValues<true>();
      for (const member of schema) members.set(member, true);
      const admits = gen.scopeValue('func', { ref: (value: unknown) => members.get(value, spend) === true });
      context.fail(_`!${admits}(${data})`);
    },
  };
}
