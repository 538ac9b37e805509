import { byCodeUnits } from '../code-units.js';
import { type Diagnostic, problem } from '../diagnostic.js';
import type { ProjectedViews } from './digest.js';
import type { ProjectedInstance, ServedBy } from './merge-projections.js';
import type { ServedView } from './view-state.js';

/**
 * The views of several instances become those of one service. Where two instances have a view of one id, or of one `uri`, neither is served,
 * but for the one that was served first.
 */
export function mergeViews(
  instances: readonly ProjectedInstance[],
  servedBy: ServedBy,
): ProjectedViews & { readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const lost = new Set<ServedView>();
  const settle = (rivals: readonly Claim[], what: string): void => {
    const holder = rivals.find(({ label, view }) => label === servedBy(view.id, 'view'));
    const first = rivals.length === 1 ? rivals[0] : holder;
    for (const { label, view } of rivals) {
      if (view === first?.view) continue;
      lost.add(view);
      const others = (first === undefined ? rivals.filter((rival) => rival.view !== view) : [first])
        .map((rival) => rival.view.document)
        .sort(byCodeUnits);
      const which = first === undefined ? '' : ', which was served first';
      const message = `the view "${view.id}" of ${view.document} has the ${what} of a view of ${others.join(', ')}${which}; change one of the ${what}s`;
      const instance = label === '' ? {} : { instance: label };
      problems.push(problem('name-collision', message, { document: view.document, ...instance, subject: view.iri }));
    }
  };
  const claims = instances.flatMap(({ label, views }) => Array.from(views.values(), (view) => ({ label, view })));
  for (const rivals of claimsBy(claims, ({ id }) => id)) settle(rivals, 'id');
  const left = claims.filter(({ view }) => !lost.has(view));
  for (const rivals of claimsBy(left, ({ uri }) => uri)) settle(rivals, 'uri');
  const served = claims.map(({ view }) => view).filter((view) => !lost.has(view));
  served.sort((a, b) => byCodeUnits(a.id, b.id));
  const viewOmissions = instances
    .flatMap((one) => one.viewOmissions)
    .sort((a, b) => byCodeUnits(a.id, b.id) || byCodeUnits(a.document, b.document));
  const getStateTool = instances.some((one) => one.getStateTool === true) ? { getStateTool: true as const } : {};
  return { views: new Map(served.map((view) => [view.id, view])), viewOmissions, ...getStateTool, problems };
}

interface Claim {
  readonly label: string;
  readonly view: ServedView;
}

function claimsBy(claims: readonly Claim[], keyOf: (view: ServedView) => string | undefined): Iterable<Claim[]> {
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) {
    const key = keyOf(claim.view);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), claim]);
  }
  return groups.values();
}
