import { typeName } from '../../projection/type-reference.js';
import { type ArgvType, argvTypes, fits, namedInputs } from '../argv-inputs.js';
import { typePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

export const optionLikeValue: Rule = {
  name: 'option-like-value',
  severity: 'warning',
  summary: 'No input in argv has a type that admits a value which begins with "-", unless its flag is joined.',
  why: 'A call with such a value is refused (option_like_value), because a command could take it for an option. The model learns that only from the refusal, not from the schema. A number is a finding where its bounds say that it may be negative; one without a bound is none, because mostly nobody means negative values of it.',
  fix: 'Let no value begin with "-", or give the arg "joined": true, so that the value stands in --flag=value.',
  example: { language: 'json', text: '{ "$defs": { "Tag": { "type": "string", "pattern": "^[a-z-]+$" } } }' },
  check: (instance) =>
    argvTypes(instance, ({ arg }) => !(arg !== undefined && 'flag' in arg && arg.joined === true)).flatMap((found) => {
      const { type, inputs } = found;
      const refused = refusedValue(found);
      if (refused === undefined) return [];
      const message = `the type ${typeName(type.iri)} admits ${refused.value}, and a call with such a value is refused: ${namedInputs(inputs)}`;
      return { message, ...typePlace(type, `/${refused.keyword}`) };
    }),
};

/** A value of the type that begins with "-", as JSON, and the keyword that admits it. A number is meant only where its bounds say so. */
function refusedValue({ schema, verdict }: ArgvType): { readonly value: string; readonly keyword: string } | undefined {
  const { enum: members = [], minimum, type } = schema;
  const member = Array.isArray(members) ? members.find((one) => String(one).startsWith('-')) : undefined;
  if (member !== undefined) return { value: JSON.stringify(member), keyword: 'enum' };
  if (type !== 'string') {
    const isMeant = typeof minimum === 'number' && minimum < 0 && minimum > Number.MIN_SAFE_INTEGER;
    return isMeant ? { value: String(minimum), keyword: 'minimum' } : undefined;
  }
  const value = verdict?.kind === 'safe' ? verdict.optionLike : undefined;
  return value === undefined || !fits(value, schema) ? undefined : { value: JSON.stringify(value), keyword: 'pattern' };
}
