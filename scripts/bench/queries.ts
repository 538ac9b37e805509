import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareQuery } from '../../src/store/query/prepare-query.js';
import { prefixesOf } from '../../src/store/query/query-prefixes.js';
import { packageRoot } from '../package-root.js';
import { AnsweringProcess } from './answers.js';
import {
  askedQueries,
  benchedView,
  bindingsOf,
  type QueryName,
  type QueryRequest,
  queryNames,
} from './asked-queries.js';
import { corpusBase } from './corpus.js';
import { InstanceFolder } from './instance-folder.js';
import { measureInProcess, processFile } from './measuring-process.js';
import { type BenchRow, benchRow } from './result.js';
import { median, rotated } from './statistics.js';

const names = Object.keys(queryNames) as QueryName[];
/** Of each query in a run, after those that warm up; fewer where they take longer than `longestMs` together. */
const timesPerRun = 25;
const warmUp = 5;
const longestMs = 2000;

/** What became of one query, with all that had to be loaded for it. */
export interface QueryMeasurement {
  readonly ms: number;
  /** How many there were. */
  readonly rows: number;
  /** Of the process, after the answer. */
  readonly rssBytes: number;
}

const parties = ['service', 'oxigraph'] as const;
type Party = (typeof parties)[number];
/** Each query as it is given to each party. */
type Requests = ReadonlyMap<QueryName, Readonly<Record<Party, QueryRequest>>>;

/** One run of a party: its first query, and the times of each in ms. */
interface PartyRun {
  first: QueryMeasurement | undefined;
  readonly times: Map<QueryName, number[]>;
}

/**
 * SPARQL through a service, against oxigraph alone, which loads an export of all that the service knows, and is given the text that the service
 * gives to its engine. In each run both are new processes, and their first query is that of the view. Throws when answers differ in size.
 */
export async function benchQueries(instance: InstanceFolder, rounds: number): Promise<BenchRow[]> {
  const view = { path: benchedView, text: readFileSync(join(packageRoot(import.meta.url), benchedView), 'utf8') };
  const own = new InstanceFolder([...instance.files, view]);
  const runs: Record<Party, PartyRun>[] = [];
  try {
    const dump = join(own.root, 'export.nq');
    const { id } = JSON.parse(instance.files[0]?.text ?? '') as { id: string };
    const { sparql } = await measureInProcess<{ sparql: string }>('query-export', [own.root, dump]);
    const requests = requestsOf(askedQueries(sparql, id));
    for (let round = 0; round < rounds; round++) runs.push(await oneRun(own.root, dump, requests, round));
  } finally {
    own.remove();
  }
  return rowsOf(instance.files.length, runs);
}

function requestsOf(asked: Record<QueryName, QueryRequest>): Requests {
  const prefixes = prefixesOf(corpusBase);
  return new Map(
    names.map((name) => {
      const { sparql, values } = asked[name];
      const { text } = prepareQuery({ sparql, bindings: bindingsOf(values), prefixes, rows: 10_000 });
      return [name, { service: { sparql, values }, oxigraph: { sparql: text, values: {} } }];
    }),
  );
}

async function oneRun(root: string, dump: string, requests: Requests, round: number): Promise<Record<Party, PartyRun>> {
  const runs = { service: newRun(), oxigraph: newRun() };
  const asked = new Map<Party, AnsweringProcess>();
  try {
    for (const party of rotated(parties, round)) {
      const process = new AnsweringProcess(processFile(`query-${party}`), [party === 'service' ? root : dump]);
      asked.set(party, process);
      await process.next();
      const [first] = requests.values();
      if (first !== undefined) runs[party].first = await ask(process, first[party]);
    }
    for (const [name, request] of requests) {
      const begun = performance.now();
      for (let i = 0; i < warmUp + timesPerRun && (i <= warmUp || performance.now() - begun < longestMs); i++) {
        const rows = new Set<number>();
        for (const [party, process] of rotated([...asked], round + i)) {
          const answer = await ask(process, request[party]);
          rows.add(answer.rows);
          if (i >= warmUp) runs[party].times.set(name, [...(runs[party].times.get(name) ?? []), answer.ms]);
        }
        if (rows.size > 1) throw new Error(`the query ${name} has ${[...rows].join(' and ')} rows`);
      }
    }
    return runs;
  } finally {
    await Promise.all([...asked.values()].map((process) => process.stop()));
  }
}

async function ask(process: AnsweringProcess, request: QueryRequest): Promise<QueryMeasurement> {
  return JSON.parse(await process.ask(JSON.stringify(request)));
}

function newRun(): PartyRun {
  return { first: undefined, times: new Map() };
}

function rowsOf(nodes: number, runs: readonly Record<Party, PartyRun>[]): BenchRow[] {
  const firstOf = (party: Party, what: 'ms' | 'rssBytes') => runs.map((run) => run[party].first?.[what] ?? Number.NaN);
  const mebibytes = (party: Party) => firstOf(party, 'rssBytes').map((bytes) => bytes / 2 ** 20);
  const plain = 'plain oxigraph with the same quads';
  const again = names.map((name) => {
    const timesOf = (party: Party) => runs.map((run) => median(run[party].times.get(name) ?? []));
    const head = { id: `query.${name}.${nodes}`, section: 'query', what: queryNames[name], nodes, unit: 'ms' } as const;
    return benchRow(head, timesOf('service'), { what: plain, runs: timesOf('oxigraph') });
  });
  const first = { id: `query.first.${nodes}`, section: 'query', nodes, unit: 'ms' } as const;
  const memory = { id: `memory.query.${nodes}`, section: 'memory', nodes, unit: 'MiB' } as const;
  return [
    benchRow({ ...first, what: 'the first query, for which the graph is loaded' }, firstOf('service', 'ms'), {
      what: 'load of the same quads and the query by plain oxigraph',
      runs: firstOf('oxigraph', 'ms'),
    }),
    ...again,
    benchRow({ ...memory, what: 'RSS after the first query' }, mebibytes('service'), {
      what: plain,
      runs: mebibytes('oxigraph'),
    }),
  ];
}
