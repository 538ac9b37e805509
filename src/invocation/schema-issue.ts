import type { ErrorObject } from 'ajv';
import { escapeStep } from '../json-pointer.js';
import { nearestName } from '../nearest-name.js';
import type { Issue } from './refusal.js';

const shownLength = 100;
const shownMembers = 20;

/** One error of Ajv, as a sentence for the model that wrote the arguments. `inputs` are the names that the tool takes. Pure. */
export function schemaIssue(error: ErrorObject, inputs: readonly string[]): Issue {
  const { instancePath, keyword, params } = error;
  switch (keyword) {
    case 'required':
      return { path: `${instancePath}/${escapeStep(String(params.missingProperty))}`, message: 'is required' };
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
  const path = `${parent}/${escapeStep(cut(name))}`;
  // Only the top level has the inputs for its properties.
  if (parent !== '') return { path, message: 'is not a known property' };
  const nearest = nearestName(name, inputs);
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return { path, message: `is not an input of this tool${hint}` };
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
