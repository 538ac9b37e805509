import { definitionKey } from '../../schemas/declaration.js';
import { isJsonObject } from '../json-object.js';
import type { Entry } from '../projection/generation.js';
import { type Refusal, refuseParams } from './refusal.js';
import { depthLimit, measureValue } from './value-bounds.js';
import { valueIssues } from './value-issues.js';

/**
 * Checks the arguments of a call against the inputSchema that the client saw. Gives the refusal, `invalid_params` with one issue per
 * finding, or undefined when they satisfy it.
 */
export async function validateArguments(
  { declaration, linearPatterns = [] }: Pick<Entry, 'declaration' | 'linearPatterns'>,
  args: unknown,
): Promise<Refusal | undefined> {
  if (!isJsonObject(args)) return refuseParams([{ path: '', message: 'must be an object' }]);
  const { issue, isTooDeep, values } = measureValue(args, argumentFault);
  if (isTooDeep) return refuseParams([{ path: '', message: `are nested deeper than ${depthLimit} levels` }]);
  if (issue !== undefined) return refuseParams([issue]);
  const schema = declaration.inputSchema;
  const key = `inputs ${declaration._meta[definitionKey]}`;
  const inputs = Object.keys(schema.properties ?? {});
  const issues = await valueIssues(args, values, { key, schema, linearPatterns, inputs });
  return issues.length === 0 ? undefined : refuseParams(issues);
}

/** JSON.parse has rounded such a number already (tool-node.md §4). */
function argumentFault(value: unknown): string | undefined {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 'is a number that is too large';
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? 'is an integer beyond 2^53, which JSON does not carry exactly' : undefined;
}
