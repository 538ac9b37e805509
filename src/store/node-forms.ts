import { rdf, type TermRow, terms } from './vocabulary.js';

/** The keys that a node has in its source form, in the order of `terms`, and the nodes inside of it. */
export interface NodeForm {
  readonly rows: readonly TermRow[];
  readonly inner: ReadonlyMap<string, NodeForm>;
}

const arg = nodeForm(['flag', 'joined', 'positional', 'stdin']);
const input = nodeForm(['name', 'schema', 'description', 'required', 'repeated', 'arg'], { arg });
const output = nodeForm(['name', 'schema', 'description', 'required', 'from']);
const remedy = nodeForm(['host', 'error', 'tool', 'none']);
const parameter = nodeForm(['name', 'schema', 'required']);
const maintained = nodeForm(['source', 'artefact', 'format']);

export const toolForm = nodeForm(
  [
    ...['id', 'title', 'description', 'version', 'tier', 'deprecated', 'effect', 'idempotent', 'openWorld'],
    ...['requiresConfirmation', 'install', 'invoke', 'inputs', 'outputs', 'satisfies', 'requires', 'when', 'limits'],
    ...['selection', 'alternativeTo', 'remedies', 'maintains', 'renders', 'subprocesses', 'downstream'],
  ],
  { inputs: input, outputs: output, remedies: remedy, maintains: maintained },
);
export const skillForm = nodeForm(['name', 'title', 'description']);
export const viewForm = nodeForm(['id', 'title', 'description', 'tier', 'query', 'parameters', 'uri', 'mediaType'], {
  parameters: parameter,
});
export const typeForm = nodeForm(['jsonSchema']);

/** The predicates that decide what a Tool is: of itself, and of its ports, list cells and other parts. */
export const toolPredicates: ReadonlySet<string> = new Set([rdf.first, rdf.rest, ...predicatesOf(toolForm)]);

function nodeForm(keys: readonly string[], inner: Readonly<Record<string, NodeForm>> = {}): NodeForm {
  const wanted = new Set(keys);
  return { rows: terms.filter(({ key }) => wanted.has(key)), inner: new Map(Object.entries(inner)) };
}

function predicatesOf({ rows, inner }: NodeForm): string[] {
  return [...rows.map(({ iri }) => iri), ...[...inner.values()].flatMap(predicatesOf)];
}
