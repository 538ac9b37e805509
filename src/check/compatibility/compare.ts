import type { Declaration } from '../../../schemas/declaration.js';
import type { Tool } from '../../../schemas/tool.js';
import { byCodeUnits } from '../../code-units.js';
import { Effort } from '../contract/effort.js';
import { canonicalText } from '../contract/json-value.js';
import type { PatternAnswers } from '../contract/pattern-question.js';
import type { ComparisonMeans } from '../contract/schema-drift.js';
import { type Change, change, type Undecided } from './change.js';
import type { OfferedTool } from './offered-tool.js';
import { inputChanges, outputChanges } from './schema-changes.js';

/** A tool that is other than before: by its MCP name, which is how callers know it. */
export interface ToolChange {
  readonly name: string;
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** At least one of the changes breaks callers. */
  readonly breaks: boolean;
  readonly changes: readonly Change[];
  /** Parts of which it is not known whether their change breaks callers. */
  readonly undecided: readonly Undecided[];
  /** Where it is described: now, or, of one that is nowhere any more, before. */
  readonly document?: string;
  readonly pointer?: string;
}

export interface Comparison {
  /** Sorted by name. */
  readonly tools: readonly ToolChange[];
  /** How many are offered as before. */
  readonly same: number;
}

/** What is other of the tools that are offered, for whoever calls them. Pure. */
export function compareOffers(
  before: readonly OfferedTool[],
  after: readonly OfferedTool[],
  patterns: PatternAnswers,
): Comparison {
  const means = { patterns, effort: new Effort() };
  const older = byName(before);
  const newer = byName(after);
  const names = [...new Set([...older.keys(), ...newer.keys()])].sort(byCodeUnits);
  const tools = names.flatMap((name) => toolChange(older.get(name), newer.get(name), after, means) ?? []);
  const offered = names.filter(
    (name) => older.get(name)?.state.kind === 'offered' && newer.get(name)?.state.kind === 'offered',
  );
  return { tools, same: offered.length - tools.filter((tool) => tool.change === 'changed').length };
}

/** Of several with one name, the one that is offered. */
function byName(tools: readonly OfferedTool[]): Map<string, OfferedTool> {
  const found = new Map<string, OfferedTool>();
  for (const tool of tools) if (tool.state.kind === 'offered' || !found.has(tool.name)) found.set(tool.name, tool);
  return found;
}

function toolChange(
  older: OfferedTool | undefined,
  newer: OfferedTool | undefined,
  after: readonly OfferedTool[],
  means: ComparisonMeans,
): ToolChange | undefined {
  const was = older?.state;
  const is = newer?.state;
  if (older !== undefined && was?.kind === 'offered') {
    if (newer === undefined || is?.kind !== 'offered') {
      return { ...placeOf(newer ?? older), ...told('removed', [change('removed', removalWords(older, newer, after))]) };
    }
    const { changes, undecided } = changesOf(was, is, means);
    if (changes.length + undecided.length === 0) return undefined;
    return { ...placeOf(newer), ...told('changed', changes), undecided };
  }
  if (newer === undefined || is?.kind !== 'offered') return undefined;
  const message =
    was === undefined || was.kind === 'offered'
      ? 'it is new'
      : `it was not offered before: ${was.reason} (${was.code})`;
  return { ...placeOf(newer), ...told('added', [change('added', message)]) };
}

function removalWords({ iri }: OfferedTool, newer: OfferedTool | undefined, after: readonly OfferedTool[]): string {
  if (newer !== undefined && newer.state.kind !== 'offered') {
    const { kind, reason, code } = newer.state;
    return `it is ${kind === 'problem' ? 'a problem and not served' : 'not offered any more'}: ${reason} (${code})`;
  }
  const renamed = after.find((tool) => tool.iri === iri && tool.state.kind === 'offered');
  return renamed === undefined ? 'there is no such tool any more' : `it is called ${renamed.name} now`;
}

type Offer = Extract<OfferedTool['state'], { kind: 'offered' }>;

function changesOf(was: Offer, is: Offer, means: ComparisonMeans): Pick<ToolChange, 'changes' | 'undecided'> {
  const ofNode = nodeChanges(was.tool, is.tool);
  if (was.definition !== undefined && was.definition === is.definition) return { changes: ofNode, undecided: [] };
  if (was.declaration === undefined || is.declaration === undefined) {
    const message =
      'clients were told something else of it, which cannot be made again: a type that it uses is another now';
    return { changes: ofNode, undecided: [{ message }] };
  }
  const inputs = inputChanges(was.declaration.inputSchema, is.declaration.inputSchema, means);
  const outputs = outputChanges(was.declaration.outputSchema, is.declaration.outputSchema, means);
  const ofValues = [...inputs.changes, ...outputs.changes];
  const undecided = [...inputs.undecided, ...outputs.undecided];
  const ofDeclaration = [
    ...hintChanges(was.declaration, is.declaration),
    ...wordChanges(was.declaration, is.declaration, ofValues.length + undecided.length > 0),
  ];
  return {
    changes: [
      ...ofValues.filter(({ breaks }) => breaks),
      ...ofValues.filter(({ breaks }) => !breaks),
      ...ofDeclaration,
      ...ofNode,
    ],
    undecided,
  };
}

function hintChanges({ annotations: was = {} }: Declaration, { annotations: is = {} }: Declaration): Change[] {
  const keys = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
  const told = keys.flatMap((key) =>
    was[key] === is[key] ? [] : [`${key} ${statement(was[key])} to ${statement(is[key])}`],
  );
  return told.length === 0 ? [] : [change('hints', `hints: from ${told.join(', from ')}`)];
}

function statement(hint: boolean | undefined): string {
  return hint === undefined ? 'not stated' : String(hint);
}

/** What a model reads. Schemas that accept the same can differ in words alone. */
function wordChanges(was: Declaration, is: Declaration, areValuesOther: boolean): Change[] {
  const isOther = (a: object | undefined, b: object | undefined): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const told = [
    ...(was.title === is.title ? [] : ['title']),
    ...(was.description === is.description ? [] : ['description']),
    ...(!areValuesOther && isOther(was.inputSchema, is.inputSchema) ? ['words of the inputs'] : []),
    ...(!areValuesOther && isOther(was.outputSchema, is.outputSchema) ? ['words of the outputs'] : []),
  ];
  return told.length === 0 ? [] : [change('words', `another ${told.join(', ')}`)];
}

const wordKeys: ReadonlySet<string> = new Set([
  'title',
  'description',
  'io',
  'effect',
  'idempotent',
  'openWorld',
  'requiresConfirmation',
]);
const runKeys: ReadonlySet<string> = new Set(['invoke', 'requires', 'when', 'limits', 'install']);

/** What runs, and what is only in the graph. What a caller sees of a node is told of the declarations. */
function nodeChanges(was: Tool | undefined, is: Tool | undefined): Change[] {
  if (was === undefined || is === undefined) return [];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort(byCodeUnits);
  const other = keys.filter((key) => !wordKeys.has(key) && !isSame(was, is, key));
  const runs = [...other.filter((key) => runKeys.has(key)), ...(areArgsOther(was, is) ? ['arg or from'] : [])];
  const rest = other.filter((key) => !runKeys.has(key));
  return [
    ...(runs.length === 0 ? [] : [change('run', `what runs, or where it can: another ${runs.join(', ')}`)]),
    ...(rest.length === 0 ? [] : [change('node', `in the node only: another ${rest.join(', ')}`)]),
  ];
}

function isSame(was: Tool, is: Tool, key: string): boolean {
  const [a, b] = [was, is].map((tool) => canonicalText((tool as unknown as Record<string, never>)[key] ?? null));
  return a === b;
}

/** Whether an input or an output of both has another way to or from what runs. */
function areArgsOther({ io: was }: Tool, { io: is }: Tool): boolean {
  const ways = new Map<string, string | undefined>([
    ...was.inputs.map(({ name, arg }) => [`input ${name}`, JSON.stringify(arg)] as const),
    ...was.outputs.map(({ name, from }) => [`output ${name}`, JSON.stringify(from)] as const),
  ]);
  const isOther = (name: string, way: string | undefined): boolean => ways.has(name) && ways.get(name) !== way;
  return (
    is.inputs.some(({ name, arg }) => isOther(`input ${name}`, JSON.stringify(arg))) ||
    is.outputs.some(({ name, from }) => isOther(`output ${name}`, JSON.stringify(from)))
  );
}

function told(kind: ToolChange['change'], changes: readonly Change[]) {
  return { change: kind, breaks: changes.some(({ breaks }) => breaks), changes, undecided: [] };
}

function placeOf({ name, id, document, pointer }: OfferedTool) {
  return { name, id, ...(document === undefined ? {} : { document }), ...(pointer === undefined ? {} : { pointer }) };
}
