import type Database from 'better-sqlite3';
import type { PartOfGeneration } from '../../projection/generation-parts.js';
import { readRecords } from '../record-reading.js';
import { firstHistoryVersion } from '../record-schema.js';

/** What a generation had of one Tool, or a problem that was about none. */
export interface KeptPart {
  readonly kind: PartOfGeneration['kind'];
  readonly iri: string | null;
  /** MCP name. */
  readonly name: string | null;
  /** Path from the instance whose history it is; null for that one itself. */
  readonly instance: string | null;
  readonly document: string | null;
  readonly pointer: string | null;
  /** Digest of what a caller could see and what would run: of a declaration. */
  readonly definition: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  /** The node as it was; undefined where it is not kept. */
  readonly node: unknown;
}

/** A generation as the history keeps it. */
export interface KeptGeneration {
  readonly number: number;
  readonly digest: string;
  /** When it was made: ISO 8601, in UTC. */
  readonly at: string;
  readonly parts: readonly KeptPart[];
}

/** The first and the last generation that are kept of a sequence. */
export interface KeptRange {
  readonly first: number;
  readonly last: number;
}

const parts = `SELECT a.kind, a.iri, a.name, a.instance, a.document, a.pointer, a.definition, a.code, a.reason, r.node
  FROM part AS a JOIN projection AS p ON p.number = a.projection
  LEFT JOIN node_revision AS n ON n.number = a.revision LEFT JOIN revision AS r ON r.iri = n.iri AND r.digest = n.digest
  WHERE p.key = @key AND a.since <= @number AND (a.until IS NULL OR a.until > @number) ORDER BY a.number`;

/**
 * One generation of the sequence that `key` names; where that is not kept, which ones are. Changes nothing; servers may write meanwhile.
 * Undefined when the folder has no history yet, or none of this sequence. Throws a StoreError when the file is damaged, or a newer toolgraph
 * wrote it.
 */
export function readGeneration(folder: string, key: string, number: number): KeptGeneration | KeptRange | undefined {
  return readRecords(folder, firstHistoryVersion, (db) => readFrom(db, key, number));
}

function readFrom(db: Database.Database, key: string, number: number): KeptGeneration | KeptRange | undefined {
  // Generations from before there was a history have no parts, and of those that came before a part that was dropped, it may be missing.
  const range = db
    .prepare<[object], { first: number | null; last: number | null }>(
      `SELECT min(g.number) AS first, max(g.number) AS last FROM generation AS g JOIN projection AS p ON p.key = g.key
       WHERE g.key = @key AND g.number >= p.first
         AND g.at >= coalesce((SELECT newest FROM history_dropped WHERE kind = 'part'), '')`,
    )
    .get({ key });
  if (range === undefined || range.first === null || range.last === null) return undefined;
  const found = db
    .prepare<[object], { digest: string; at: string }>(
      'SELECT digest, at FROM generation WHERE key = @key AND number = @number',
    )
    .get({ key, number });
  if (found === undefined || number < range.first) return { first: range.first, last: range.last };
  const rows = db.prepare<[object], Omit<KeptPart, 'node'> & { node: string | null }>(parts).all({ key, number });
  return {
    ...{ number, digest: found.digest, at: found.at },
    parts: rows.map(({ node, ...part }) => ({ ...part, node: node === null ? undefined : JSON.parse(node) })),
  };
}
