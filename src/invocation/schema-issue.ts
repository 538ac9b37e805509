import type { ErrorObject } from 'ajv';
import { closest, distance } from 'fastest-levenshtein';
import { escapePointer } from './argument-bounds.js';
import type { Issue } from './refusal.js';

const shownLength = 100;
const shownMembers = 20;

/** One error of Ajv, as a sentence for the model that wrote the arguments. `inputs` are the names that the tool takes. Pure. */
export function schemaIssue(error: ErrorObject, inputs: readonly string[]): Issue {
  const { instancePath, keyword, params } = error;
  switch (keyword) {
    case 'required':
      return { path: `${instancePath}/${escapePointer(String(params.missingProperty))}`, message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownProperty(instancePath, String(params.additionalProperty ?? params.unevaluatedProperty), inputs);
    case 'enum':
      return { path: instancePath, message: `must be one of ${members(params.allowedValues)}` };
    case 'const':
      return { path: instancePath, message: `must be ${shown(params.allowedValue)}` };
    case 'pattern':
      return { path: instancePath, message: `must match pattern ${shown(params.pattern)}` };
    default:
      return { path: instancePath, message: error.message ?? `must satisfy ${keyword}` };
  }
}

function unknownProperty(parent: string, name: string, inputs: readonly string[]): Issue {
  const path = `${parent}/${escapePointer(cut(name))}`;
  // Only the top level has the inputs for its properties.
  const nearest = parent === '' && name.length <= shownLength && inputs.length > 0 ? closest(name, inputs) : undefined;
  if (nearest !== undefined && distance(name, nearest) <= Math.max(1, Math.floor(name.length / 3))) {
    return { path, message: `is not an input of this tool; did you mean "${nearest}"?` };
  }
  return { path, message: parent === '' ? 'is not an input of this tool' : 'is not a known property' };
}

function members(values: unknown): string {
  if (!Array.isArray(values)) return shown(values);
  const rest = values.length - shownMembers;
  return values.slice(0, shownMembers).map(shown).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function shown(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value));
}

function cut(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`;
}
