import type { JsonSchema } from '../../schemas/declaration.js';
import type { Tier } from '../../schemas/tool.js';
import type { ViewParameter } from '../../schemas/view.js';
import { type Diagnostic, type ProblemCode, problem } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import type { Omission, ProjectionOptions } from './generation.js';
import type { ViewNode } from './node.js';
import { patternsIn } from './patterns.js';
import { patternProblems } from './ports.js';
import type { SchemaSource } from './schema-source.js';

/** How the query of a view begins. */
export type ViewForm = 'select' | 'ask' | 'construct';

/** What the parser says of a query with the variables that it is given: its form and whether it orders its rows; or what is wrong and where, from 1. */
export type QueryVerdict =
  | { readonly form: ViewForm | 'describe'; readonly ordered?: boolean }
  | { readonly fault: string; readonly line?: number; readonly column?: number };

/** By `queryKey`. One that is missing counts as one that could not be judged. */
export type QueryVerdicts = ReadonlyMap<string, QueryVerdict>;

/** Names a query with the parameters that its view has. */
export function queryKey({ view: { query, parameters } }: Pick<ViewNode, 'view'>): string {
  return JSON.stringify([query, ...parameters.map(({ name }) => name)]);
}

/** A parameter with the schema of its values, which are of one of four types. */
export interface ServedParameter extends ViewParameter {
  readonly schema: string;
  readonly type: JsonSchema & { readonly type: 'string' | 'integer' | 'number' | 'boolean' };
  /** As in `Entry`. */
  readonly linearPatterns?: readonly string[];
}

/** A view that is served: what clients see of it, and what will run. */
export interface ServedView {
  readonly id: string;
  readonly iri: string;
  readonly document: string;
  /** As in `Entry`. */
  readonly instance?: string;
  readonly title: string;
  readonly description: string;
  readonly tier: Tier;
  readonly query: string;
  readonly form: ViewForm;
  /** The query says in which order its rows are. */
  readonly ordered?: true;
  readonly parameters: readonly ServedParameter[];
  /** URI of its resource beside our own, or a template of such URIs: `{name}` stands for a parameter. */
  readonly uri?: string;
  /** What is read at `uri`: one value as content of this type. Absent: JSON-LD. */
  readonly mediaType?: string;
  /** As in `Entry`. */
  readonly lastGood?: true;
}

/** A view that is deliberately not served. */
export type ViewOmission = Pick<Omission, 'id' | 'iri' | 'code' | 'reason' | 'document' | 'instance' | 'pointer'>;

/** Exactly one of the three states that a Tool has too (tool-node.md §3). */
export type ViewState =
  | { readonly state: 'projected'; readonly view: ServedView }
  | { readonly state: 'omitted'; readonly omission: ViewOmission }
  | { readonly state: 'problem'; readonly problems: readonly [Diagnostic, ...Diagnostic[]] };

/** What one view is judged by, beside itself. */
export interface ViewJudgement {
  readonly schemaOf: SchemaSource;
  readonly verdicts: PatternVerdicts;
  readonly queries: QueryVerdicts;
  readonly options: Pick<ProjectionOptions, 'tiers'>;
}

/** The state of one view, other nodes aside. As for a Tool, what cannot be determined comes before what is left out. */
export function evaluateView(node: ViewNode, judgement: ViewJudgement): ViewState {
  const { iri, document, pointer, view } = node;
  const { id, title, description, tier, query, uri, mediaType } = view;
  const problems: Diagnostic[] = [];
  const report = (code: ProblemCode, message: string, at: string): void => {
    problems.push(atView(node, code, message, at));
  };
  const parameters = view.parameters.flatMap((parameter, i) => {
    const at = `/parameters/${i}/schema`;
    return servedParameter(parameter, judgement, (code, message) => report(code, message, at)) ?? [];
  });
  const verdict = judgement.queries.get(queryKey(node));
  const form = formOf(verdict, (message) => report('invalid-query', message, '/query'));
  if (mediaType !== undefined && form !== undefined && form !== 'select') {
    report('invalid-query', 'the query: expected a SELECT of one value, because the view has a "mediaType"', '/query');
  }
  const [first, ...others] = problems;
  if (first !== undefined) return { state: 'problem', problems: [first, ...others] };
  const omitted = (code: 'internal' | 'tier', reason: string): ViewState => ({
    state: 'omitted',
    omission: { id, iri, code, reason, document, pointer },
  });
  if (tier === 'internal') return omitted('internal', 'its tier is internal, which is never served');
  if (!judgement.options.tiers.includes(tier)) return omitted('tier', `its tier is ${tier}, which is not served`);
  if (form === undefined) throw new Error('a query that is neither good nor bad');
  const ordered =
    verdict !== undefined && 'form' in verdict && verdict.ordered === true ? { ordered: true as const } : {};
  const read = { ...(uri === undefined ? {} : { uri }), ...(mediaType === undefined ? {} : { mediaType }) };
  const served = { id, iri, document, title, description, tier, query, form, ...ordered, parameters, ...read };
  return { state: 'projected', view: served };
}

/** A problem of a view: `at` is relative to the node. */
export function atView({ document, pointer, iri }: ViewNode, code: ProblemCode, message: string, at = ''): Diagnostic {
  return problem(code, message, { document, pointer: `${pointer}${at}`, subject: iri });
}

function formOf(verdict: QueryVerdict | undefined, report: (message: string) => void): ViewForm | undefined {
  if (verdict === undefined) report('the query could not be judged; report it');
  else if ('fault' in verdict) {
    const { fault, line, column } = verdict;
    const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`} of it)`;
    report(`the query${place}: ${fault}`);
  } else if (verdict.form === 'describe') {
    report('the query is a DESCRIBE; expected SELECT, ASK or CONSTRUCT, as what a DESCRIBE gives is not stated by it');
  } else return verdict.form;
  return undefined;
}

const bindable: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

function servedParameter(
  parameter: ViewParameter,
  { schemaOf, verdicts }: ViewJudgement,
  report: (code: ProblemCode, message: string) => void,
): ServedParameter | undefined {
  const told = `parameter "${parameter.name}": `;
  const found = schemaOf(parameter.schema);
  if (!('schema' in found)) {
    report(found.code, told + found.message);
    return undefined;
  }
  const type = found.schema;
  if (!isBindable(type)) {
    report(
      'unportable-schema',
      `${told}its type is ${type.type}; expected a string, an integer, a number or a boolean`,
    );
    return undefined;
  }
  const slow = patternProblems(parameter.schema, type, verdicts);
  for (const { code, message } of slow) report(code, told + message);
  if (slow.length > 0) return undefined;
  const linearPatterns = [...patternsIn(type)].filter((pattern) => verdicts.get(pattern)?.time === 'linear').sort();
  return { ...parameter, type, ...(linearPatterns.length === 0 ? {} : { linearPatterns }) };
}

function isBindable(type: JsonSchema & { readonly type: string }): type is ServedParameter['type'] {
  return bindable.has(type.type);
}
