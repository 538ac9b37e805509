import type Database from 'better-sqlite3';
import { readRecords } from '../record-reading.js';
import { firstHistoryVersion } from '../record-schema.js';

/** A revision of a Tool, as the history keeps it. Times are ISO 8601, in UTC. */
export interface KeptRevision {
  readonly iri: string;
  /** Hex sha-256 of the JCS form of the whole node. */
  readonly sha256: string;
  /** Path from the instance whose history it is; '' for that one itself. */
  readonly instance: string;
  readonly document: KeptDocument;
  readonly since: string;
  /** Until when, and why not longer: `replaced` or `deleted`; null while it holds. */
  readonly until: string | null;
  readonly ending: string | null;
  /** The generations that had it, one entry a sequence. */
  readonly generations: readonly GenerationRange[];
  /** The node before it; undefined where there is none, or it was dropped. */
  readonly before: unknown;
  readonly node: unknown;
}

/** The version of the document from which a revision was read. */
export interface KeptDocument {
  readonly path: string;
  readonly sha256: string;
  /** What git told of it (docs/provenance.md); null where it was not asked yet. */
  readonly git: string | null;
  readonly reason: string | null;
  readonly head: string | null;
  readonly commit: string | null;
}

export interface GenerationRange {
  readonly key: string;
  readonly first: number;
  /** Null while the last one still has it. */
  readonly last: number | null;
}

export interface DroppedHistory {
  readonly count: number;
  readonly newest: string;
  readonly at: string;
}

export interface KeptRevisions {
  /** Newest first. */
  readonly revisions: readonly KeptRevision[];
  /** Revisions of all Tools that retention has dropped; absent when none was. */
  readonly dropped?: DroppedHistory;
}

interface Row extends Omit<KeptRevision, 'document' | 'generations' | 'before' | 'node'>, Omit<KeptDocument, 'sha256'> {
  readonly number: number;
  readonly bytes: string;
  readonly before: string | null;
  readonly node: string;
}

const revisions = `SELECT n.number, n.iri, n.digest AS sha256, n.instance, n.since, n.until, n.ending, d.path, d.sha256 AS bytes, d.git,
  d.git_reason AS reason, d.git_head AS head, d.git_commit AS "commit", r.node,
  (SELECT b.node FROM node_revision AS p JOIN revision AS b ON b.iri = p.iri AND b.digest = p.digest WHERE p.number = n.prior) AS before
  FROM node_revision AS n JOIN revision AS r ON r.iri = n.iri AND r.digest = n.digest JOIN document AS d ON d.number = n.document
  WHERE n.iri = @tool OR n.id = @tool OR n.iri IN (SELECT iri FROM part WHERE name = @tool) ORDER BY n.number DESC LIMIT @limit`;

/** By the parts that were made of a revision. One that changed nothing that clients see made none: then by the time in which it held. */
const ofParts = `SELECT p.key, min(a.since) AS first, CASE WHEN count(a.until) < count(*) THEN NULL ELSE max(a.until) - 1 END AS last
  FROM part AS a JOIN projection AS p ON p.number = a.projection WHERE a.revision = @number AND a.kind != 'problem' GROUP BY p.key ORDER BY 2, 1`;
const ofTime = `SELECT p.key, max((SELECT max(number) FROM generation WHERE key = p.key AND at <= @since), a.since) AS first,
  (SELECT max(number) FROM generation WHERE key = p.key AND at < @until) AS last
  FROM part AS a JOIN projection AS p ON p.number = a.projection
  WHERE a.iri = @iri AND a.kind != 'problem' AND coalesce(a.ended, @since) >= @since
    AND (SELECT at FROM generation WHERE key = p.key AND number = a.since) <= @since ORDER BY 2, 1`;

/**
 * The revisions of the Tool with this id, IRI or MCP name. Changes nothing; servers may write meanwhile. Undefined when the folder has no
 * history yet. Throws a StoreError when the file is damaged, or a newer toolgraph wrote it.
 */
export function readRevisions(folder: string, tool: string, limit: number): KeptRevisions | undefined {
  return readRecords(folder, firstHistoryVersion, (db) => readFrom(db, tool, limit));
}

function readFrom(db: Database.Database, tool: string, limit: number): KeptRevisions {
  const byParts = db.prepare<[object], GenerationRange>(ofParts);
  const byTime = db.prepare<[object], GenerationRange>(ofTime);
  const found = db.prepare<[object], Row>(revisions).all({ tool, limit });
  const dropped = db
    .prepare<[], DroppedHistory>("SELECT count, newest, at FROM history_dropped WHERE kind = 'revision'")
    .get();
  return {
    revisions: found.map(({ number, path, bytes, git, reason, head, commit, before, node, ...row }) => {
      const made = byParts.all({ number });
      return {
        ...row,
        document: { path, sha256: bytes, git, reason, head, commit },
        generations: made.length > 0 ? made : byTime.all(row),
        before: before === null ? undefined : JSON.parse(before),
        node: JSON.parse(node),
      };
    }),
    ...(dropped === undefined ? {} : { dropped }),
  };
}
