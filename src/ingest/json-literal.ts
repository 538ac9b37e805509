import { hasRepeatedKeys, parseJsonText, tooDeep } from '../json-text.js';
import { surveyTree, type TreeFault, type TreeLimits } from './json-tree.js';

/** Parses the text of a literal of the type rdf:JSON. It holds what a JSON document may hold, and no more; else the first fault. */
export function readJsonLiteral(text: string, limits: TreeLimits): { readonly value: unknown } | TreeFault {
  const parsed = parseJsonText(text);
  if ('message' in parsed) return { pointer: '', message: parsed.message };
  const survey = surveyTree(parsed.value, limits, text.includes('\\u'));
  if (survey.isTooDeep) return { pointer: '', message: tooDeep(limits.depth) };
  const [fault] = survey.faults;
  if (fault !== undefined) return fault;
  if (!hasRepeatedKeys(text, survey)) return { value: parsed.value };
  return { pointer: '', message: 'an object has one key twice; remove one of the two' };
}
