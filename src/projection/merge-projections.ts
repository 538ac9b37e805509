import { byCodeUnits } from '../code-units.js';
import { type Diagnostic, problem } from '../diagnostic.js';
import { generationDigests } from './digest.js';
import type { Entry, Omission, Projection } from './generation.js';
import type { ProjectedParts } from './labelled-documents.js';
import { mergeViews } from './merge-views.js';
import { compareOmissions, couldBeServed } from './omission.js';
import { sortedProblems } from './problem-order.js';

/** One instance of those that are served together. */
export interface ProjectedInstance extends ProjectedParts {
  /** Path from the instance that includes it; '' for that one itself. No two have the same. */
  readonly label: string;
}

/** The label of the instance that serves an MCP name, or the id of a view, now; undefined when none does. */
export type ServedBy = (name: string, kind: 'tool' | 'view') => string | undefined;

/**
 * The projections of several instances become one. Pure, and independent of their order. Where two have a Tool of the same MCP name
 * neither is served, as within one instance (P1), but for the one whose instance has served the name first (`servedBy`); so it is with the
 * ids of views.
 */
export function mergeProjections(
  instances: readonly ProjectedInstance[],
  found: readonly Diagnostic[],
  servedBy: ServedBy,
): Projection {
  const refused = new Set<Claim['of']>();
  const collisions: Diagnostic[] = [];
  for (const claims of rivals(instances)) {
    const first = claims.find(({ label, of }) => 'binding' in of && label === servedBy(of.name, 'tool'));
    for (const claim of claims) {
      if (claim === first) continue;
      refused.add(claim.of);
      collisions.push(collision(claim, claims, first));
    }
  }
  const entries = instances.flatMap((one) => [...one.entries.values()]).filter((entry) => !refused.has(entry));
  entries.sort((a, b) => byCodeUnits(a.name, b.name));
  const omissions = instances.flatMap((one) => one.omissions).filter((omission) => !refused.has(omission));
  omissions.sort(compareOmissions);
  const { problems: ofViews, ...views } = mergeViews(instances, servedBy);
  const problems = sortedProblems([...instances.flatMap((one) => one.problems), ...found, ...collisions, ...ofViews]);
  const declarations = entries.map(({ declaration }) => declaration);
  return {
    entries: new Map(entries.map((entry) => [entry.name, entry])),
    omissions,
    ...views,
    problems,
    ...generationDigests(declarations, omissions, views, problems),
  };
}

/** An instance that has a Tool of this name, or would have under other circumstances. */
interface Claim {
  readonly label: string;
  readonly of: Entry | Omission;
}

/** The claims to each name that more than one instance has. */
function rivals(instances: readonly ProjectedInstance[]): Claim[][] {
  const byName = new Map<string, Claim[]>();
  for (const { label, entries, omissions } of instances) {
    for (const of of [...entries.values(), ...omissions.filter(couldBeServed)]) {
      const claims = byName.get(of.name);
      if (claims === undefined) byName.set(of.name, [{ label, of }]);
      else claims.push({ label, of });
    }
  }
  return [...byName.values()].filter((claims) => new Set(claims.map(({ label }) => label)).size > 1);
}

function collision(claim: Claim, claims: readonly Claim[], first: Claim | undefined): Diagnostic {
  const { id, name, document, iri } = claim.of;
  const others = (first === undefined ? claims.filter((other) => other !== claim) : [first])
    .map(({ of }) => `"${of.id}" of ${of.document}`)
    .sort(byCodeUnits);
  const which = first === undefined ? '' : ', which was served first';
  const message = `"${id}" of ${document} has the same MCP name ${name} as ${others.join(', ')}${which}; give one of the two instances a prefix under "include", or change one of the ids`;
  const pointer = 'pointer' in claim.of ? { pointer: claim.of.pointer } : {};
  const instance = claim.label === '' ? {} : { instance: claim.label };
  return problem('name-collision', message, { document, ...instance, ...pointer, subject: iri });
}
