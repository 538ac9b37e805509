import { definitionKey } from '../../schemas/declaration.js';
import { isJsonObject } from '../json-object.js';
import type { Entry } from '../projection/generation.js';
import { type Refusal, refuseParams, refuseTooLarge } from './refusal.js';
import { depthLimit, measureValue, valuesLimit } from './value-bounds.js';
import { valueIssues } from './value-issues.js';

/**
 * Checks the arguments of a call against the inputSchema that the client saw. Gives the refusal, `invalid_params` with one issue per
 * finding or `argument_too_large` where they are too large to check, or undefined when they satisfy it.
 */
export async function validateArguments(
  { declaration, linearPatterns = [] }: Pick<Entry, 'declaration' | 'linearPatterns'>,
  args: unknown,
): Promise<Refusal | undefined> {
  if (!isJsonObject(args)) return refuseParams([{ path: '', message: 'must be an object' }]);
  const { issue, isTooDeep, isTooMany, values } = measureValue(args, argumentFault, valuesLimit);
  if (isTooDeep) return refuseParams([{ path: '', message: `are nested deeper than ${depthLimit} levels` }]);
  if (issue !== undefined) return refuseParams([issue]);
  if (isTooMany) {
    return refuseTooLarge({
      path: '',
      message: `hold more than ${valuesLimit} values, containers included; send fewer`,
    });
  }
  const schema = declaration.inputSchema;
  const key = `inputs ${declaration._meta[definitionKey]}`;
  const inputs = Object.keys(schema.properties ?? {});
  const { issues, isUnchecked } = await valueIssues(args, values, { key, schema, linearPatterns, inputs });
  if (isUnchecked && issues[0] !== undefined) return refuseTooLarge(issues[0]);
  return issues.length === 0 ? undefined : refuseParams(issues);
}

/** JSON.parse has rounded such a number already (tool-node.md §4). */
function argumentFault(value: unknown): string | undefined {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 'is a number that is too large';
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? 'is an integer beyond 2^53, which JSON does not carry exactly' : undefined;
}
