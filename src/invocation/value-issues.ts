import type { JsonSchema } from '../../schemas/declaration.js';
import { Unmatched } from './bounded-matching.js';
import { compiledSchema } from './compiled-schema.js';
import type { Issue } from './refusal.js';
import { schemaIssue } from './schema-issue.js';
import { measureValue } from './value-bounds.js';

/** Values beyond this number get one issue: Ajv would hold an error object for each wrong one of them. */
const allIssuesValuesLimit = 10_000;
/** Values times parts of the schema. Each of these may be one comparison, as with an `enum`: 10 ns, and 1 s in all. */
const checksLimit = 2 ** 27;

/** The schema of a value, and what is known of it. */
export interface ValueSchema {
  /** Stands for the schema. */
  readonly key: string;
  readonly schema: JsonSchema;
  readonly linearPatterns: readonly string[];
  /** Names of the properties, where a wrong one is told which was probably meant. */
  readonly inputs: readonly string[];
}

/**
 * What is wrong with a value of bounded depth, one issue for each finding, none when it satisfies the schema. `values` is how many values it holds. A value
 * that could not be checked in bounded time has an issue that says so.
 */
export async function valueIssues(
  value: object,
  values: number,
  { key, schema, linearPatterns, inputs }: ValueSchema,
): Promise<readonly Issue[]> {
  const compiled = (allErrors: boolean) => compiledSchema(key, schema, { allErrors, linearPatterns });
  const check = await compiled(values <= allIssuesValuesLimit);
  if (values * check.parts > checksLimit) return [tooManyChecks(values, check.parts)];
  try {
    let errors = check.errorsOf(value);
    // Where only the first is looked for, a string that is longer than its maxLength is not matched with anything.
    if (errors instanceof Unmatched) errors = (await compiled(false)).errorsOf(value);
    if (errors instanceof Unmatched) return [unmatchedIssue(value, errors)];
    return errors.map((error) => schemaIssue(error, inputs));
  } catch (error) {
    const issue = uncomparableIssue(value);
    if (issue === undefined) throw error;
    return [issue];
  }
}

/** For enum and const Ajv compares with fast-deep-equal, which calls what a value has under these two names. */
function uncomparableIssue(value: object): Issue | undefined {
  const message = 'is a name that makes the value impossible to compare with those of the schema; leave it out';
  return measureValue(value, (_, key) => (key === 'toString' || key === 'valueOf' ? message : undefined)).issue;
}

function tooManyChecks(values: number, parts: number): Issue {
  const counted = `${values} values by a schema of ${parts} parts`;
  const remedy = 'give fewer values, or a type that lists fewer alternatives';
  return { path: '', message: `would take more than ${checksLimit} checks (${counted}); ${remedy}` };
}

function unmatchedIssue(value: object, { text, message }: Unmatched): Issue {
  const { issue } = measureValue(value, (found, key) => (found === text || key === text ? message : undefined));
  return issue ?? { path: '', message };
}
