import type { JsonSchema } from '../../schemas/declaration.js';
import { Unchecked } from './check-budget.js';
import { compiledSchema } from './compiled-schema.js';
import type { Issue } from './refusal.js';
import { schemaIssue } from './schema-issue.js';
import { measureValue } from './value-bounds.js';

/** Values times parts of the schema. Beyond it there is one issue: Ajv would hold an error object for each part that each value does not satisfy. */
const allIssuesLimit = 100_000;

/** The schema of a value, and what is known of it. */
export interface ValueSchema {
  /** Stands for the schema. */
  readonly key: string;
  readonly schema: JsonSchema;
  readonly linearPatterns: readonly string[];
  /** Names of the properties, where a wrong one is told which was probably meant. */
  readonly inputs: readonly string[];
}

/** What a check of a value finds. */
export interface ValueFindings {
  /** One for each finding, none when the value satisfies the schema. */
  readonly issues: readonly Issue[];
  /** It could not be checked in bounded time, as the one issue says. */
  readonly isUnchecked?: true;
}

/** Checks a value of bounded depth. `values` is how many values it holds. */
export async function valueIssues(
  value: object,
  values: number,
  { key, schema, linearPatterns, inputs }: ValueSchema,
): Promise<ValueFindings> {
  const first = await compiledSchema(key, schema, { allErrors: false, linearPatterns });
  const isSmall = values * first.parts <= allIssuesLimit;
  try {
    const check = isSmall ? await compiledSchema(key, schema, { allErrors: true, linearPatterns }) : first;
    let errors = check.errorsOf(value, values);
    // Where only the first is looked for, a string that is longer than its maxLength is not matched with anything.
    if (errors instanceof Unchecked && isSmall) errors = first.errorsOf(value, values);
    if (errors instanceof Unchecked) return { issues: [uncheckedIssue(value, errors)], isUnchecked: true };
    return { issues: errors.map((error) => schemaIssue(error, inputs)) };
  } catch (error) {
    const issue = uncomparableIssue(value);
    if (issue === undefined) throw error;
    return { issues: [issue] };
  }
}

/** For const Ajv compares with fast-deep-equal, which calls what a value has under these two names. */
function uncomparableIssue(value: object): Issue | undefined {
  const message = 'is a name that makes the value impossible to compare with those of the schema; leave it out';
  return measureValue(value, (_, key) => (key === 'toString' || key === 'valueOf' ? message : undefined)).issue;
}

function uncheckedIssue(value: object, { text, message }: Unchecked): Issue {
  if (text === undefined) return { path: '', message };
  const { issue } = measureValue(value, (found, key) => (found === text || key === text ? message : undefined));
  return issue ?? { path: '', message };
}
