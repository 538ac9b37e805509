import { definitionKey } from '../../schemas/declaration.js';
import type { Diagnostic } from '../diagnostic.js';
import { jcsDigest, objectDigest } from './digest.js';
import { differingEntries } from './entry-map.js';
import type { Entry, Omission, Projection } from './generation.js';

/** Something that a generation declares, omits, or could not determine, as history keeps it. */
export interface PartOfGeneration {
  readonly kind: 'declaration' | 'omission' | 'problem';
  /** Equal exactly when two parts of a kind are the same for a generation digest. */
  readonly identity: string;
  readonly iri?: string | undefined;
  /** MCP name. */
  readonly name?: string | undefined;
  readonly instance?: string | undefined;
  /** Path, as it is named from the instance whose history it is. */
  readonly document?: string | undefined;
  readonly pointer?: string | undefined;
  readonly definition?: string | undefined;
  readonly severity?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

type Projected = Pick<Projection, 'entries' | 'omissions' | 'problems'>;

/** All parts of a projection. Pure. */
export function partsOf({ entries, omissions, problems }: Projected): PartOfGeneration[] {
  return [
    ...Array.from(entries.values(), declarationPart),
    ...omissions.map(omissionPart),
    ...new Map(problems.map((found) => [problemIdentity(found), problemPart(found)])).values(),
  ];
}

/** What two projections do not have in common. Costs what differs where they share their entries and omissions. Pure. */
export function differingParts(
  before: Projected,
  now: Projected,
): { readonly gone: readonly PartOfGeneration[]; readonly added: readonly PartOfGeneration[] } {
  const entries = differingEntries(before.entries, now.entries);
  const omissions = differing(before.omissions, now.omissions);
  const problems = differingProblems(before.problems, now.problems);
  const toParts = (of: {
    entries: readonly Entry[];
    omissions: readonly Omission[];
    problems: readonly Diagnostic[];
  }) =>
    new Map(
      [...of.entries.map(declarationPart), ...of.omissions.map(omissionPart), ...of.problems.map(problemPart)].map(
        (part) => [`${part.kind} ${part.identity}`, part],
      ),
    );
  const gone = toParts({ entries: entries.gone, omissions: omissions.gone, problems: problems.gone });
  const added = toParts({ entries: entries.added, omissions: omissions.added, problems: problems.added });
  for (const key of [...gone.keys()]) {
    if (added.delete(key)) gone.delete(key);
  }
  return { gone: [...gone.values()], added: [...added.values()] };
}

function differing<T>(before: readonly T[], now: readonly T[]): { gone: readonly T[]; added: readonly T[] } {
  if (before === now) return { gone: [], added: [] };
  const gone = new Set(before);
  const added = now.filter((one) => !gone.delete(one));
  return { gone: [...gone], added };
}

/** A problem may be there twice, and be gone once. */
function differingProblems(
  before: readonly Diagnostic[],
  now: readonly Diagnostic[],
): { gone: readonly Diagnostic[]; added: readonly Diagnostic[] } {
  const differ = differing(before, now);
  if (differ.gone.length + differ.added.length === 0) return differ;
  const [earlier, later] = [before, now].map((problems) => new Set(problems.map(problemIdentity)));
  return {
    gone: differ.gone.filter((found) => later?.has(problemIdentity(found)) === false),
    added: differ.added.filter((found) => earlier?.has(problemIdentity(found)) === false),
  };
}

/** Its document is not in it: a Tool that moves to another one is declared as before. */
function declarationPart({ declaration, iri, name, instance }: Entry): PartOfGeneration {
  const definition = declaration._meta[definitionKey];
  return { kind: 'declaration', identity: `${definition} ${iri}`, iri, name, instance, definition };
}

function omissionPart(omission: Omission): PartOfGeneration {
  const { iri, name, instance, document, pointer, code, reason } = omission;
  return { kind: 'omission', identity: objectDigest(omission), iri, name, instance, document, pointer, code, reason };
}

const identities = new WeakMap<Diagnostic, string>();

/** Lines and columns are not in it, as they are not in the digest of a generation. */
function problemIdentity(found: Diagnostic): string {
  const { line, column, ...placed } = found;
  const identity = identities.get(found) ?? jcsDigest(placed);
  identities.set(found, identity);
  return identity;
}

function problemPart(found: Diagnostic): PartOfGeneration {
  const { subject, instance, document, pointer, severity, code, message } = found;
  return {
    kind: 'problem',
    identity: problemIdentity(found),
    ...{ iri: subject, instance, document, pointer, severity, code, reason: message },
  };
}
