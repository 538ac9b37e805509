import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Declaration, definitionKey } from '../../schemas/declaration.js';
import type { Diagnostic } from '../diagnostic.js';
import { DigestSet } from './digest-set.js';
import type { Omission, Projection, ProjectionOptions } from './generation.js';

/** Hex sha-256 of the JCS form (RFC 8785) of a JSON value; members that are undefined are left out. */
export function jcsDigest(value: unknown): string {
  return hash('sha256', canonicalize(value) ?? '', 'hex');
}

export interface Digests {
  readonly digest: string;
  readonly listDigest: string;
}

/** What a projection says of views. */
export type ProjectedViews = Pick<Projection, 'views' | 'viewOmissions' | 'getStateTool'>;

/** The two digests of a projection, from the whole of it. */
export function generationDigests(
  declarations: readonly Declaration[],
  omissions: readonly Omission[],
  views: ProjectedViews,
  problems: readonly Diagnostic[],
): Digests {
  const digester = new GenerationDigester();
  for (const declaration of declarations) digester.declarations.add(declarationDigest(declaration));
  for (const omission of omissions) digester.omissions.add(objectDigest(omission));
  return digester.digests(problems, views);
}

/**
 * The two digests of a projection that follows its changes, so that an edit of one node digests one declaration. They are those of
 * the parts in any order, and the same as `generationDigests` of the whole.
 */
export class GenerationDigester {
  readonly declarations = new DigestSet();
  readonly omissions = new DigestSet();

  /** Lines and columns are not in the digest: they change when a file is only formatted anew. */
  digests(problems: readonly Diagnostic[], { views, viewOmissions, getStateTool }: ProjectedViews): Digests {
    const listDigest = this.declarations.digest();
    const placed = problems.map(({ line, column, ...problem }) => problem);
    const ofViews = [getStateTool === true, ...[...views.values(), ...viewOmissions].map(objectDigest)];
    return { digest: jcsDigest([listDigest, this.omissions.digest(), placed, ofViews]), listDigest };
  }
}

/** Hex sha-256 that two declarations have in common only when they are the same: the definition is a digest of all else in it (P17). */
export function declarationDigest({ _meta }: Declaration): string {
  return _meta[definitionKey];
}

const known = new WeakMap<object, string>();

/** As `jcsDigest`, made once for each object: what is kept from one projection to the next is not digested again. */
export function objectDigest(value: object): string {
  const digest = known.get(value) ?? jcsDigest(value);
  known.set(value, digest);
  return digest;
}

/** What distinguishes processes that may rightly see different generations of one instance: each key has a sequence of its own (DESIGN decision 6). */
export function projectionKey(
  options: ProjectionOptions,
  host: { readonly os: string; readonly path: string | undefined; readonly stated: unknown },
): string {
  return jcsDigest({ options: { ...options, tiers: [...options.tiers].sort() }, host });
}
