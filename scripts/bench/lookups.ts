import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnsweringProcess } from './answers.js';
import { type LookupParty, lookupParties } from './lookup-parties.js';
import { type LookupKind, lookupKinds } from './lookup-patterns.js';
import { measureInProcess, processFile } from './measuring-process.js';
import { type BenchRow, benchRow } from './result.js';
import { rotated } from './statistics.js';

const kinds = Object.keys(lookupKinds) as LookupKind[];
const parties = Object.keys(lookupParties) as LookupParty[];

/** What is asked of a party: the patterns of a kind, in this round. */
export interface LookupRequest {
  readonly kind: LookupKind;
  readonly round: number;
}

export interface LookupAnswer {
  /** For one lookup, the mean of all that were made. */
  readonly ms: number;
  /** Quads that all patterns of the round gave, each asked once. */
  readonly found: number;
}

/**
 * Lookups by pattern through toolgraph's store, against N3.Store and oxigraph that hold the same quads, each in a process of its own. The graph
 * is ingested once; the others are filled from the store. Throws when one of them finds another number of quads.
 */
export async function benchLookups(quads: number, seed: number, rounds: number): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgraph-bench-lookups-'));
  const asked = new Map<LookupParty, AnsweringProcess>();
  try {
    const { documents } = await measureInProcess<{ documents: number }>('lookup-graph', [
      folder,
      `${quads}`,
      `${seed}`,
    ]);
    for (const party of parties) {
      const process = new AnsweringProcess(processFile('lookup-party'), [party, folder, `${documents}`, `${seed}`]);
      asked.set(party, process);
      await process.next();
    }
    const times = await allRounds(asked, rounds);
    return kinds.flatMap((kind) => rowsOf(kind, documents, (party) => times.get(`${kind} ${party}`)));
  } finally {
    await Promise.all([...asked.values()].map((process) => process.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By kind and party the ms of a lookup, one a round. The parties take turns; a first round, of which nothing is kept, warms them up. */
async function allRounds(asked: ReadonlyMap<LookupParty, AnsweringProcess>, rounds: number) {
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const kind of rotated(kinds, round)) {
      const found = new Map<LookupParty, number>();
      for (const [party, process] of rotated([...asked], round)) {
        if (!canAsk(party, kind)) continue;
        const answer = JSON.parse(await process.ask(JSON.stringify({ kind, round }))) as LookupAnswer;
        found.set(party, answer.found);
        const key = `${kind} ${party}`;
        if (round > 0) times.set(key, [...(times.get(key) ?? []), answer.ms]);
      }
      if (new Set(found.values()).size > 1) {
        throw new Error(`lookups of ${kind} find other quads: ${JSON.stringify(Object.fromEntries(found))}`);
      }
    }
  }
  return times;
}

function rowsOf(kind: LookupKind, nodes: number, timesOf: (party: LookupParty) => readonly number[] | undefined) {
  return parties.flatMap((party) => {
    const [ours, others] = [timesOf('toolgraph'), timesOf(party)];
    if (party === 'toolgraph' || ours === undefined || others === undefined) return [];
    const head = {
      id: `lookup.${kind}.${party}`,
      section: 'lookup',
      what: lookupKinds[kind],
      nodes,
      unit: 'ms',
    } as const;
    return [benchRow(head, ours, { what: lookupParties[party], runs: others })];
  });
}

/** Where there are no named graphs, nothing tells what a document states. */
function canAsk(party: LookupParty, kind: LookupKind): boolean {
  return party !== 'n3-merged' || kind !== 'document';
}
