import { confirmationProperty } from '../../../schemas/declaration.js';
import { visible } from '../../visible.js';
import type { Explanation } from '../explain.js';
import type { ExplainedView } from '../explained-view.js';
import { shellWord } from '../shell-word.js';
import { callWords } from './calls.js';
import { problemLine } from './generation.js';
import type { Style } from './style.js';

/**
 * `toolgraph why`: one fact a line, the heading of a group in front of its first. `directory` is how the instance is named from the
 * current directory, '' for that one itself.
 */
export function printExplanation(known: Explanation, directory: string, { colors }: Style): string[] {
  const facts: [string, string | readonly string[] | undefined][] = [
    ['state', stateWords(known)],
    ['reason', known.reason],
    ['to do', known.advice?.steps],
    ['at', adviceWords(known)],
    ['now', known.advice?.now],
    ['change to', known.advice?.change?.map((text, i) => (i === 0 ? text : `or ${text}`))],
    ['next', nextWords(known, directory)],
    ['name', known.name],
    ['title', known.title],
    ['description', known.description],
    ['tier', known.tier],
    ['version', known.version],
    ['effect', effectWords(known)],
    ['gated', known.requiresConfirmation === true ? 'a call needs user_confirmed: true' : undefined],
    ['arm', armWords(known)],
    ['not run by', known.rejectedArms?.map(({ arm, code, reason }) => `${arm}: ${code}: ${reason}`)],
    ['source', sourceWords(known)],
    ['also in', known.alsoIn],
    ['iri', known.iri],
    ['definition', known.definition],
    ['revision', known.revision],
    ['since', heldWords(known)],
    ['skills', known.skills?.map(skillWords)],
    ['requires', known.requirements?.map(({ kind, needs, met }) => `${kind}: ${needs.join(', ')} (met: ${met})`)],
    ['inputs', known.inputs?.map(inputWords)],
    ['outputs', known.outputs?.map(outputWords)],
    ['alternatives', known.alternatives?.map(alternativeWords)],
    ['selection', Object.entries(known.selection ?? {}).map(([key, text]) => `${key}: ${text}`)],
    ['problems', known.problems.map(problemLine)],
    ['check', known.findings?.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`)],
    ['last calls', known.calls?.map(callWords)],
  ];
  return factLines(known.id, facts, colors);
}

/** `toolgraph why` of a view, in the same form. */
export function printViewExplanation(known: ExplainedView, { colors }: Style): string[] {
  const parameters = known.parameters?.map(
    ({ name, schema, required }) => `${name} (${required ? 'required' : 'optional'}, ${schema})`,
  );
  return factLines(
    known.id,
    [
      ['state', `view, ${stateWords(known)}`],
      ['reason', known.reason],
      ['title', known.title],
      ['description', known.description],
      ['tier', known.tier],
      ['source', sourceWords(known)],
      ['iri', known.iri],
      ['parameters', parameters],
      ['uri', known.uri],
      ['media type', known.mediaType],
      ['query', known.query?.trimEnd().split('\n')],
      ['problems', known.problems.map(problemLine)],
    ],
    colors,
  );
}

type Facts = readonly (readonly [string, string | readonly string[] | undefined])[];

function factLines(id: string, facts: Facts, colors: Style['colors']): string[] {
  return [
    colors.bold(visible(id)),
    ...facts.flatMap(([heading, value]) =>
      [value ?? []].flat().map((text, i) => `  ${colors.dim((i === 0 ? heading : '').padEnd(12))} ${visible(text)}`),
    ),
  ];
}

function stateWords({
  state,
  code,
  lastGood,
}: Pick<Explanation, 'state' | 'lastGood'> & { readonly code?: string }): string {
  if (lastGood === true) return `projected, as it last was${code === undefined ? '' : ` (problem: ${code})`}`;
  return code === undefined ? state : `${state}: ${code}`;
}

/** The place of what is to be changed; not where that is the node as a whole, whose place is told anyway. */
function adviceWords({ advice, document, line }: Explanation): string | undefined {
  if (advice?.document === undefined) return undefined;
  if (advice.pointer === undefined && advice.document === document && advice.line === line) return undefined;
  return advice.line === undefined ? advice.document : `${advice.document}:${advice.line}`;
}

/**
 * What to type next: a call of what is served and only reads, else the same question once the change is made. Of a tool that may change
 * something, no line that could be run: only what a call takes.
 */
function nextWords(
  { id, state, sampleCall, code, inputs = [], requiresConfirmation }: Explanation,
  directory: string,
): string {
  const words = [shellWord(id), ...(directory === '' ? [] : [shellWord(directory)])].join(' ');
  if (code !== undefined || state !== 'projected') return `toolgraph why ${words}`;
  if (sampleCall !== undefined) {
    const args = Object.keys(sampleCall).length === 0 ? '' : ` --args ${shellWord(JSON.stringify(sampleCall))}`;
    return `toolgraph call ${words}${args}`;
  }
  const needed = inputs.filter(({ name, required }) => required && name !== confirmationProperty);
  const members = [
    ...needed.map(({ name }) => `${JSON.stringify(name)}: <${name}>`),
    ...(requiresConfirmation === true ? [`"${confirmationProperty}": <true, once the user has agreed>`] : []),
  ];
  const given = members.length === 0 ? 'needs no arguments' : `takes --args {${members.join(', ')}}`;
  return `a call ${given}; it may change something, so no example is made up`;
}

function effectWords({ effect, idempotent, openWorld, arm }: Explanation): string | undefined {
  if (arm === undefined && effect === undefined && idempotent === undefined && openWorld === undefined)
    return undefined;
  return [
    effect ?? 'not stated',
    ...(idempotent === undefined ? [] : [idempotent ? 'idempotent' : 'not idempotent']),
    ...(openWorld === undefined ? [] : [openWorld ? 'reaches out of this host' : 'stays on this host']),
  ].join(', ');
}

function armWords({ arm, engine, words, module, invoke }: Explanation): string | readonly string[] | undefined {
  if (arm !== undefined && words !== undefined) {
    const by = engine === undefined ? '' : ` (${engine})`;
    return `${arm}${by}: ${words.map((word) => JSON.stringify(word)).join(' ')}`;
  }
  if (arm !== undefined && module !== undefined) return `${arm}: ${module}`;
  return Object.entries(invoke ?? {}).map(
    ([kind, value]) => `${kind}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

function sourceWords({
  document,
  line,
  pointer,
}: Pick<Explanation, 'document' | 'line' | 'pointer'>): string | undefined {
  if (document === undefined) return undefined;
  const place = line === undefined ? document : `${document}:${line}`;
  return pointer === undefined || pointer === '' ? place : `${place} (${pointer})`;
}

function skillWords({ name, known, title }: NonNullable<Explanation['skills']>[number]): string {
  if (!known) return `${name} (no such skill in the instance)`;
  return title === undefined ? name : `${name}: ${title}`;
}

function heldWords({ held }: Explanation): string | undefined {
  if (held === undefined) return undefined;
  return held.commit === undefined ? held.since : `${held.since}, in commit ${held.commit}`;
}

function alternativeWords({
  id,
  state,
  sameFor,
  selection = {},
}: NonNullable<Explanation['alternatives']>[number]): string {
  const same = sameFor === undefined ? [] : [`same inputs and outputs, for ${sameFor.join(', ')}`];
  const words = [state, ...same, ...Object.entries(selection).map(([key, text]) => `${key}: ${text}`)];
  return `${id} (${words.join('; ')})`;
}

function inputWords({ name, schema, required, reaches }: NonNullable<Explanation['inputs']>[number]): string {
  const input = `${name} (${required ? 'required' : 'optional'}, ${schema})`;
  return reaches === undefined ? input : `${input}: ${reaches}`;
}

function outputWords({ name, schema, required, from }: NonNullable<Explanation['outputs']>[number]): string {
  return `${name} (${required ? 'required' : 'optional'}, ${schema}): ${from}`;
}
