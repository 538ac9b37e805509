import type Database from 'better-sqlite3';
import type { HistoryRetention } from './history.js';
import type { Journal, JournalKind } from './journal.js';

/** Rows of a kind that are dropped in one transaction, so that none takes long. */
const droppedAtOnce = 500;
const dayMs = 86_400_000;

interface DroppedRow {
  /** As in the journal. */
  readonly name: string | number;
  /** Until when it held. */
  readonly until: string;
}

/**
 * What may go of each kind, the oldest first, when it is more or older than is kept. What holds stays, and so does what anything names that
 * stays: first parts and generations go, then the revisions that no part and no call names, then the documents that no revision names.
 */
const droppable: readonly { readonly kind: JournalKind; readonly past: string; readonly remove: string }[] = [
  {
    kind: 'part',
    past: 'SELECT count(*) FROM part WHERE ended IS NOT NULL',
    remove: `DELETE FROM part WHERE number IN (
      SELECT number FROM part WHERE ended IS NOT NULL AND (ended < @since OR @surplus > 0) ORDER BY ended LIMIT @limit
    ) RETURNING number AS name, ended AS until`,
  },
  {
    kind: 'generation',
    past: 'SELECT 0',
    remove: `DELETE FROM generation WHERE (key, number) IN (
      SELECT key, number FROM generation AS old WHERE at < @since
        AND number < (SELECT max(number) FROM generation WHERE key = old.key)
        AND NOT EXISTS (SELECT 1 FROM invocation WHERE generation_key = old.key AND generation = old.number)
        AND NOT EXISTS (SELECT 1 FROM part JOIN projection ON projection.number = part.projection
          WHERE projection.key = old.key AND (part.since = old.number OR part.until = old.number))
      LIMIT @limit
    ) RETURNING (SELECT number FROM projection WHERE key = generation.key) || '/' || number AS name, at AS until`,
  },
  {
    kind: 'revision',
    past: 'SELECT count(*) FROM node_revision WHERE until IS NOT NULL',
    remove: `DELETE FROM node_revision WHERE number IN (
      SELECT number FROM node_revision AS old WHERE until IS NOT NULL AND (until < @since OR @surplus > 0)
        AND NOT EXISTS (SELECT 1 FROM invocation WHERE node_revision = old.number)
        AND NOT EXISTS (SELECT 1 FROM part WHERE revision = old.number)
      ORDER BY until LIMIT @limit
    ) RETURNING number AS name, until`,
  },
  {
    kind: 'document',
    past: 'SELECT count(*) FROM document WHERE until IS NOT NULL',
    remove: `DELETE FROM document WHERE number IN (
      SELECT number FROM document AS old WHERE until IS NOT NULL AND (until < @since OR @surplus > 0)
        AND NOT EXISTS (SELECT 1 FROM node_revision WHERE document = old.number)
        AND NOT EXISTS (SELECT 1 FROM revision_document WHERE document = old.number)
      ORDER BY until LIMIT @limit
    ) RETURNING number AS name, until`,
  },
];

/**
 * Drops some of what is more, or older, than is kept, and notes that. Returns how many rows; 0 when nothing is left to drop. To be run in a
 * transaction; throws an SqliteError.
 */
export function dropHistory(
  db: Database.Database,
  journal: Journal,
  { revisions, days }: HistoryRetention,
  now: Date,
): number {
  const since = new Date(now.getTime() - days * dayMs).toISOString();
  let dropped = 0;
  for (const { kind, past, remove } of droppable) {
    const surplus = (db.prepare<[], number>(past).pluck().get() ?? 0) - revisions;
    const limit = surplus > 0 ? Math.min(surplus, droppedAtOnce) : droppedAtOnce;
    const rows = db.prepare<[object], DroppedRow>(remove).all({ since, surplus, limit });
    for (const { name } of rows) journal.add(kind, name ?? '');
    noteDropped(db, kind, rows, now);
    dropped += rows.length;
  }
  journal.trim();
  return dropped;
}

function noteDropped(db: Database.Database, kind: JournalKind, rows: readonly DroppedRow[], now: Date): void {
  const newest = rows
    .map(({ until }) => until)
    .sort()
    .at(-1);
  if (newest === undefined) return;
  db.prepare(
    `INSERT INTO history_dropped(kind, count, newest, at) VALUES (@kind, @count, @newest, @at)
     ON CONFLICT(kind) DO UPDATE SET count = count + @count, newest = max(newest, @newest), at = @at`,
  ).run({ kind, count: rows.length, newest, at: now.toISOString() });
}
