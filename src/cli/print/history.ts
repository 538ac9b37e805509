import type { DroppedHistory, GenerationRange, KeptRevision } from '../../store/provenance/revision-reader.js';
import { visible } from '../../visible.js';
import { changedFields } from '../changed-fields.js';
import { type Cell, wrapColumns } from './columns.js';
import { noticeLine } from './plain.js';
import { count, type Style } from './style.js';

/** `toolgraph history`: a table at a terminal; else tab-separated, one revision a line. */
export function printHistory(revisions: readonly KeptRevision[], style: Style): string[] {
  if (!style.terminal) return revisions.map((revision) => fieldsOf(revision).map(visible).join('\t'));
  return wrapColumns(
    revisions.map((revision) => rowOf(revision, style)),
    style.width,
  ).flat();
}

/** `toolgraph history --json`. */
export function historyJson(revisions: readonly KeptRevision[], dropped: DroppedHistory | undefined): object {
  return {
    revisions: revisions.map(({ before, node, instance, document, ...revision }) => {
      const changed = before === undefined ? null : changedFields(before, node);
      return { ...revision, ...(instance === '' ? {} : { instance }), document: gitSaid(document), changed, node };
    }),
    dropped: dropped ?? null,
  };
}

export function droppedHistoryLine({ count: dropped, newest, at }: DroppedHistory): string {
  const limits = 'limits.historyRevisions and limits.historyDays say how many are kept';
  return noticeLine(
    `${count(dropped, 'older revision')} of tools that held until ${newest} or before were dropped, the last on ${at}; ${limits}`,
  );
}

/** since, until, why not longer, revision, document, sha-256 of that, state in git, commit, generations, changed fields. */
function fieldsOf(revision: KeptRevision): string[] {
  const { since, until, ending, sha256, document } = revision;
  const { path, git, commit, head } = gitSaid(document);
  return [
    ...[since, until ?? '', ending ?? '', sha256, path, document.sha256, git, commit ?? head ?? ''],
    ...[generationWords(revision.generations), changeWords(revision)],
  ];
}

function rowOf(revision: KeptRevision, { colors }: Style): Cell[] {
  const { since, until, ending, document } = revision;
  const span = until === null ? 'holds' : `${ending} ${secondsOf(until)}`;
  return [
    { text: secondsOf(since), paint: colors.dim },
    { text: span, paint: until === null ? colors.green : colors.dim },
    { text: visible(document.path) },
    { text: visible(gitWords(document)) },
    { text: generationWords(revision.generations) },
    { text: visible(changeWords(revision)) },
  ];
}

function gitSaid<T extends KeptRevision['document']>(document: T): T & { readonly git: string } {
  return { ...document, git: document.git ?? 'not asked yet' };
}

function gitWords(document: KeptRevision['document']): string {
  const { git, commit, head, reason } = gitSaid(document);
  const shown = commit ?? head;
  const which = shown === null ? (reason ?? '') : shown.slice(0, 12);
  return `${git === 'committed' ? '' : `${git} `}${which}`.trim();
}

function generationWords(ranges: readonly GenerationRange[]): string {
  const words = ranges.map(({ first, last }) => {
    if (last === null) return `${first}–`;
    return first === last ? `${first}` : `${first}–${last}`;
  });
  return words.length === 0 ? 'no generation' : `generation ${[...new Set(words)].join(', ')}`;
}

function changeWords({ before, node }: KeptRevision): string {
  if (before === undefined) return 'the first that is kept';
  const fields = changedFields(before, node);
  return fields.length === 0 ? 'as before' : `changed: ${fields.join(', ')}`;
}

function secondsOf(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}
