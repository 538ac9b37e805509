import { type FileState, type PlannedFile, pathsIn } from '../../build/plan.js';
import type { Generation } from '../../projection/generation.js';
import { noticeLine } from './plain.js';

/** `data` is for stdout, one file a line; `words` are for stderr. */
export interface BuildReport {
  readonly data: readonly string[];
  readonly words: readonly string[];
}

/** What a build did. A file that is as it should be is not named. */
export function writingReport(plan: readonly PlannedFile[]): BuildReport {
  const data = linesOf(plan, { missing: 'wrote', stale: 'wrote', extra: 'removed' });
  const kept = pathsIn(plan, 'kept').map((path) => noticeLine(`kept ${path} as it is; remove it to have it made anew`));
  const edited = pathsIn(plan, 'edited').map((path) =>
    noticeLine(`kept ${path}: it is not made any more, and somebody has edited it; remove it when it is of no use`),
  );
  const idle = data.length === 0 ? [noticeLine('everything was up to date')] : [];
  return { data, words: [...kept, ...edited, ...idle] };
}

/** What a build would do; no data where it would do nothing. A file that is in the way is named as a stale one. */
export function differenceReport(plan: readonly PlannedFile[], generation: Generation): BuildReport {
  const told = { missing: 'missing', stale: 'stale', foreign: 'stale', extra: 'extra', edited: 'extra' };
  const data = linesOf(plan, told);
  if (data.length === 0) return { data, words: [] };
  const remedy = noticeLine('this is not what the graph gives now; run the same command without --check');
  return { data, words: [...leftOut(plan, generation), remedy] };
}

/** Why a tool that was built before is not now: most often another host, or other tiers. */
function leftOut(plan: readonly PlannedFile[], { omissions }: Generation): string[] {
  const gone = new Set(pathsIn(plan, 'extra', 'edited'));
  return omissions
    .filter(({ name }) => gone.has(`schemas/${name}.input.json`))
    .map(({ name, code, reason }) => noticeLine(`${name} is left out now: ${code}: ${reason}`));
}

function linesOf(plan: readonly PlannedFile[], words: Partial<Record<FileState, string>>): string[] {
  return plan.flatMap(({ path, state }) => {
    const word = words[state];
    return word === undefined ? [] : [`${word} ${path}`];
  });
}
