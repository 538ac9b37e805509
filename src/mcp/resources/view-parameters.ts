import { valueIssues } from '../../invocation/value-issues.js';
import { nearestName } from '../../nearest-name.js';
import { jcsDigest } from '../../projection/digest.js';
import type { ServedParameter, ServedView } from '../../projection/view-state.js';
import type { BindingTerm } from '../../store/query/graph-query.js';
import { Iri, LiteralTerm } from '../../store/rdf-terms.js';
import { XSD } from '../../store/vocabulary.js';
import { ResourceRequestError } from './resource-text.js';

/** The value of a parameter: what its type is in JSON. */
export type ParameterValue = string | number | boolean;

/** The longest value, in UTF-16 code units. */
const longestValue = 16_384;

/**
 * The terms that the query of a view is given, by the name of the variable, for the values that are given. Each is checked by the schema of
 * its type; one that is not given and not required is left unbound. Throws a ResourceRequestError that names every parameter which is wrong.
 */
export async function bindingsOf(
  view: ServedView,
  given: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, BindingTerm>> {
  const { parameters } = view;
  const faults: string[] = [];
  for (const name of given.keys()) {
    if (!parameters.some((parameter) => parameter.name === name)) faults.push(unknownParameter(name, parameters));
  }
  const bindings = new Map<string, BindingTerm>();
  for (const parameter of parameters) {
    const { name, required } = parameter;
    const value = given.get(name);
    if (value === undefined) {
      if (required === true) faults.push(`${name}: required, but missing`);
      continue;
    }
    const issue = await issueOf(parameter, value);
    if (issue === undefined) bindings.set(name, termOf(parameter, value as ParameterValue));
    else faults.push(`${name}: ${issue}`);
  }
  if (faults.length > 0) throw new ResourceRequestError(`the view ${view.id} cannot be read: ${faults.join('; ')}`);
  return bindings;
}

/** The values of a URI as their types have them in JSON; a text that is no such value stays text, which is then refused by its schema. */
export function valuesOfTexts(view: ServedView, texts: ReadonlyMap<string, string>): ReadonlyMap<string, unknown> {
  const types = new Map(view.parameters.map(({ name, type }) => [name, type.type]));
  return new Map(Array.from(texts, ([name, text]) => [name, valueOfText(types.get(name), text)]));
}

function valueOfText(type: ServedParameter['type']['type'] | undefined, text: string): ParameterValue {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * The term of a value: an IRI where the type has the format of one, a date or a moment where it has that, else what JSON-LD 1.1 makes of the
 * JSON value, so that it equals what a document states (JSON-LD 1.1 API §8.2.2).
 */
export function termOf({ type }: Pick<ServedParameter, 'type'>, value: ParameterValue): BindingTerm {
  if (typeof value === 'boolean') return literal(String(value), 'boolean');
  if (typeof value === 'number') {
    if (Number.isInteger(value) && Math.abs(value) < 1e21) return literal(value.toFixed(0), 'integer');
    return literal(value.toExponential(15).replace(/(\d)0*e\+?/, '$1E'), 'double');
  }
  if (type.format === 'iri' || type.format === 'uri') return new Iri(value);
  if (type.format === 'date-time') return literal(value, 'dateTime');
  return type.format === 'date' ? literal(value, 'date') : new LiteralTerm(value);
}

function literal(value: string, type: string): BindingTerm {
  return new LiteralTerm(value, new Iri(XSD + type));
}

/** What is wrong with a value, in words; undefined for one that satisfies the type. */
async function issueOf({ type, linearPatterns = [] }: ServedParameter, value: unknown): Promise<string | undefined> {
  if (typeof value === 'string' && value.length > longestValue) return `is longer than ${longestValue} characters`;
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'is an integer beyond 2^53, which JSON does not carry exactly';
  }
  if (typeof value === 'string' && isIriType(type) && !isIri(value)) return 'expected an absolute IRI';
  // Checked as the member of an object, which is what the checks of calls are made for.
  const schema = { type: 'object', properties: { value: type } } as const;
  const known = { key: `parameter ${jcsDigest(type)}`, schema, linearPatterns, inputs: ['value'] };
  const { issues } = await valueIssues({ value }, 2, known);
  const [issue] = issues;
  return issue && `${issue.message}${exampleWords(type, value)}`;
}

/** What a text of the type looks like, for whoever cannot read its pattern. */
function exampleWords({ examples }: ServedParameter['type'], value: unknown): string {
  const [example]: unknown[] = Array.isArray(examples) ? examples : [];
  return typeof value === 'string' && typeof example === 'string' ? `; an example is ${JSON.stringify(example)}` : '';
}

function isIriType({ format }: ServedParameter['type']): boolean {
  return format === 'iri' || format === 'uri';
}

/** What may stand between `<` and `>` (SPARQL 1.1, IRIREF), with a scheme. */
function isIri(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}\p{Cs}]*$/u.test(text);
}

function unknownParameter(name: string, parameters: readonly ServedParameter[]): string {
  const names = parameters.map((parameter) => parameter.name);
  const near = nearestName(name, names);
  const known = names.length === 0 ? 'it has none' : `known here: ${names.join(', ')}`;
  return `unknown parameter ${JSON.stringify(name.slice(0, 64))}; ${near === undefined ? known : `did you mean ${near}?`}`;
}
