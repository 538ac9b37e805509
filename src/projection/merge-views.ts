import { byCodeUnits } from '../code-units.js';
import { type Diagnostic, problem } from '../diagnostic.js';
import type { ProjectedViews } from './digest.js';
import type { ProjectedInstance, ServedBy } from './merge-projections.js';
import type { ServedView } from './view-state.js';

/**
 * The views of several instances become those of one service. Where two instances have a view of one id neither is served, but for the one
 * that was served first.
 */
export function mergeViews(
  instances: readonly ProjectedInstance[],
  servedBy: ServedBy,
): ProjectedViews & { readonly problems: readonly Diagnostic[] } {
  const claims = new Map<string, { readonly label: string; readonly view: ServedView }[]>();
  for (const { label, views } of instances) {
    for (const view of views.values()) claims.set(view.id, [...(claims.get(view.id) ?? []), { label, view }]);
  }
  const served: ServedView[] = [];
  const problems: Diagnostic[] = [];
  for (const [id, rivals] of claims) {
    const first = rivals.length === 1 ? rivals[0] : rivals.find(({ label }) => label === servedBy(id, 'view'));
    if (first !== undefined) served.push(first.view);
    for (const { label, view } of rivals) {
      if (view === first?.view) continue;
      const others = (first === undefined ? rivals.filter((rival) => rival.view !== view) : [first])
        .map((rival) => rival.view.document)
        .sort(byCodeUnits);
      const which = first === undefined ? '' : ', which was served first';
      const message = `the view "${id}" of ${view.document} has the id of a view of ${others.join(', ')}${which}; change one of the ids`;
      const instance = label === '' ? {} : { instance: label };
      problems.push(problem('name-collision', message, { document: view.document, ...instance, subject: view.iri }));
    }
  }
  served.sort((a, b) => byCodeUnits(a.id, b.id));
  const viewOmissions = instances
    .flatMap((one) => one.viewOmissions)
    .sort((a, b) => byCodeUnits(a.id, b.id) || byCodeUnits(a.document, b.document));
  const getStateTool = instances.some((one) => one.getStateTool === true) ? { getStateTool: true as const } : {};
  return { views: new Map(served.map((view) => [view.id, view])), viewOmissions, ...getStateTool, problems };
}
