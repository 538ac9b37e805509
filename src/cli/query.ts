import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../error-message.js';
import type { BindingTerm, QueryResult } from '../store/query/graph-query.js';
import type { QueryError } from '../store/query/query-error.js';
import { directoryArgument } from './arguments.js';
import { outputOf } from './terminal.js';

const formats = ['table', 'json', 'csv', 'turtle'] as const;
type Format = (typeof formats)[number];

interface QueryCommandOptions {
  readonly format?: Format;
  readonly param: readonly (readonly [string, string])[];
}

/** A longer file is no query. */
const maxQueryBytes = 1_048_576;
/** Another process may write while the instance is read; the next reading finds what it wrote. */
const attempts = 3;
/** What is wrong with the query itself. */
const wrongUsage: ReadonlySet<string> = new Set(['syntax', 'refused', 'binding']);

export function addQuery(program: Command): void {
  program
    .command('query')
    .summary('ask the graph in SPARQL')
    .description(
      'Asks the graph a SPARQL 1.1 query: what the documents state, those of included instances too, and what toolgraph itself states of them. ' +
        'Servers may run meanwhile. An ASK whose answer is false exits with 1.',
    )
    .argument('<SPARQL>', 'the query, or @ and the file that it is in')
    .addArgument(directoryArgument())
    .addOption(
      new Option(
        '--format <format>',
        'how to print: table and csv for SELECT, json for ASK too, turtle for triples',
      ).choices(formats),
    )
    .option(
      '--param <name=value>',
      'a value of the variable ?name: <IRI>, "text"@en, "1"^^<IRI>, or a text; may be repeated',
      collectParam,
      [],
    )
    .action(query);
}

async function query(
  source: string,
  root: string,
  { format, param }: QueryCommandOptions,
  command: Command,
): Promise<void> {
  const sparql = source.startsWith('@') ? readQuery(source.slice(1), command) : source;
  const { paramTerms } = await import('./query-params.js');
  const bindings = paramTerms(param);
  try {
    await answer(root, sparql, bindings, format, command);
  } catch (error) {
    if (!isQueryError(error)) throw error;
    const { visible } = await import('../visible.js');
    const { line, column } = error.position ?? {};
    const place = [source.startsWith('@') ? source.slice(1) : 'query', line, column].filter(
      (part) => part !== undefined,
    );
    outputOf(process.stderr, process.env).lines([visible(`${place.join(':')}: ${error.code}: ${error.message}`)]);
    process.exitCode ??= wrongUsage.has(error.code) ? 2 : 1;
  }
}

async function answer(
  root: string,
  sparql: string,
  bindings: ReadonlyMap<string, BindingTerm>,
  format: Format | undefined,
  command: Command,
): Promise<void> {
  const [{ readOnce }, { noticeLine }, { count }, { untilInterrupted }] = await Promise.all([
    import('./one-shot.js'),
    import('./print/plain.js'),
    import('./print/style.js'),
    import('./interruption.js'),
  ]);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(root, {}, async ({ problems }, service) => {
        const result = await untilInterrupted((signal) => service.query(sparql, { bindings, signal }));
        const base = service.instances[0]?.config.base ?? '';
        await print(result, base, format, command);
        if (problems.length === 0) return;
        const words = `${count(problems.length, 'problem')}: what they keep from being read is not in the graph; toolgraph check tells of them`;
        outputOf(process.stderr, process.env).lines([noticeLine(words)]);
      });
    } catch (error) {
      if (attempt === attempts || !isQueryError(error) || error.code !== 'unavailable') throw error;
    }
  }
}

async function print(result: QueryResult, base: string, format: Format | undefined, command: Command): Promise<void> {
  const [{ resultsCsv, resultsJson, resultsTurtle }, { printRows, resultWords }, { jsonText, noticeLine }, prefixes] =
    await Promise.all([
      import('../store/query/result-formats.js'),
      import('./print/query-result.js'),
      import('./print/plain.js'),
      import('../store/query/query-prefixes.js').then(({ prefixesOf }) => prefixesOf(base)),
    ]);
  const stdout = outputOf(process.stdout, process.env);
  const chosen = format ?? (result.kind === 'quads' ? 'turtle' : 'table');
  if (chosen === 'turtle' && result.kind === 'quads') await write(resultsTurtle(result, prefixes), stdout.terminal);
  else if (chosen === 'json' && result.kind !== 'quads') stdout.lines([jsonText(resultsJson(result))]);
  else if (chosen === 'csv' && result.kind === 'bindings') stdout.raw(resultsCsv(result));
  else if (chosen === 'table' && result.kind === 'boolean') stdout.lines([String(result.value)]);
  else if (chosen === 'table' && result.kind === 'bindings') stdout.lines(printRows(result, prefixes, stdout));
  else
    command.error(
      `error: --format ${chosen} cannot show ${shownKinds[result.kind]}; expected ${formatsOf[result.kind]}`,
    );
  const stderr = outputOf(process.stderr, process.env);
  if (stdout.terminal && stderr.terminal) stderr.lines([noticeLine(resultWords(result))]);
  if (result.kind === 'boolean' && !result.value) process.exitCode = 1;
}

const shownKinds = { bindings: 'rows', boolean: 'the answer of an ASK', quads: 'triples' } as const;
const formatsOf = { bindings: 'table, json or csv', boolean: 'table or json', quads: 'turtle' } as const;

/** Piece by piece, each when the reader has taken the one before. */
async function write(pieces: AsyncIterable<string>, isTerminal: boolean): Promise<void> {
  const { escapedLines } = await import('../visible.js');
  const { stdout } = process;
  for await (const piece of pieces) {
    if (stdout.errored !== null) return;
    if (!stdout.write(isTerminal ? escapedLines(piece, false) : piece)) await once(stdout, 'drain').catch(() => {});
  }
}

function readQuery(path: string, command: Command): string {
  try {
    const { size } = statSync(path);
    if (size > maxQueryBytes) command.error(`error: @${path}: the file has more than ${maxQueryBytes} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    return command.error(`error: @${path}: ${errorMessage(error)}`);
  }
}

function collectParam(text: string, before: QueryCommandOptions['param']): QueryCommandOptions['param'] {
  const end = text.indexOf('=');
  if (end < 0) throw new InvalidArgumentError('Expected NAME=VALUE, as skill=<urn:x:skill/a>.');
  return [...before, [text.slice(0, end), text.slice(end + 1)]];
}

/** By its name: the class itself comes with the store. */
function isQueryError(error: unknown): error is QueryError {
  return error instanceof Error && error.name === 'QueryError';
}
