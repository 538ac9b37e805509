/** The thread that writes one export: it reads `graph.db` itself, at one moment, so that neither a change nor a slow reader is in the way. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Quad } from '@rdfjs/types';
import type Database from 'better-sqlite3';
import { byCodeUnits } from '../code-units.js';
import { defaultBusyTimeoutMs } from './database-file.js';
import type { ExportData, ExportedInstance, ExportReply } from './export-messages.js';
import { selectionText } from './export-selection.js';
import { graphFile, openGraphAgain } from './graph-opening.js';
import { QuadTable } from './quad-table.js';
import { StoreError } from './store-error.js';
import { TermDictionary } from './term-dictionary.js';

/** Characters of a piece, so that few messages are sent. */
const pieceLength = 64 * 1024;

interface ReadableGraph {
  readonly iri: string;
  readonly quads: () => Quad[];
}

const { instances, selection, format, base } = workerData as ExportData;
const replies = repliesOf();
await reply();
parentPort?.on('message', reply);

async function reply(): Promise<void> {
  const { value = { kind: 'ended' } } = await replies.next();
  parentPort?.postMessage(value);
}

async function* repliesOf(): AsyncGenerator<ExportReply, undefined> {
  try {
    const graphs = instances.map(graphsOf);
    if (graphs.some((found) => found === undefined)) {
      yield { kind: 'outOfStep' };
      return;
    }
    const selected = graphs
      .flatMap((found) => found ?? [])
      .filter(({ iri }) => typeof selection === 'string' || iri === selection.graph)
      // In the order of their IRIs, which does not depend on that of the instances.
      .sort((a, b) => byCodeUnits(a.iri, b.iri));
    yield { kind: 'begun', graphs: selected.length };
    let text = '';
    for await (const piece of selectionText(quadsOf(selected), selection, format, base)) {
      text += piece;
      if (text.length < pieceLength) continue;
      yield { kind: 'piece', text };
      text = '';
    }
    yield { kind: 'piece', text };
  } catch (error) {
    const message = error instanceof StoreError ? error.message : 'toolgraph itself failed to write the graph';
    yield { kind: 'failed', message };
  }
}

function* quadsOf(graphs: readonly ReadableGraph[]): Generator<Quad> {
  for (const { quads } of graphs) yield* quads();
}

/** The graphs of the documents; undefined when the store does not hold exactly these. The connection ends with the thread. */
function graphsOf({ folder, identity, documents }: ExportedInstance): ReadableGraph[] | undefined {
  const db = openGraphAgain(graphFile(folder, defaultBusyTimeoutMs), identity);
  db.pragma('query_only = ON');
  // All that is read from now on is of the moment of the first row.
  db.exec('BEGIN');
  const terms = new TermDictionary(db);
  const quads = new QuadTable(db, terms);
  const row: Database.Statement<[string, string], number | null> = db
    .prepare<[string, string], number | null>('SELECT g FROM doc WHERE path = ? AND sha256 = ?')
    .pluck();
  const graphs: ReadableGraph[] = [];
  for (const [path, sha256] of documents) {
    const graph = row.get(path, sha256);
    if (graph === undefined) return undefined;
    if (graph === null) continue;
    const term = terms.term(graph);
    graphs.push({ iri: term.value, quads: () => quads.match(null, null, null, term) });
  }
  return graphs;
}
