import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Declaration } from '../../schemas/declaration.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Omission, ProjectionOptions } from './generation.js';

/** Hex sha-256 of the JCS form (RFC 8785) of a JSON value; members that are undefined are left out. */
export function jcsDigest(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}

const known = new WeakMap<object, string>();

/** As `jcsDigest`, made once for each object: what is kept from one projection to the next is not digested again. */
function objectDigest(value: object): string {
  const digest = known.get(value) ?? jcsDigest(value);
  known.set(value, digest);
  return digest;
}

/**
 * The two digests of a projection, made of the digests of its parts, so that an edit of one node digests one declaration. Lines
 * and columns are not in them: they change when a file is only formatted anew.
 */
export function generationDigests(
  declarations: readonly Declaration[],
  omissions: readonly Omission[],
  problems: readonly Diagnostic[],
): { readonly digest: string; readonly listDigest: string } {
  const listDigest = jcsDigest(declarations.map(objectDigest));
  const placed = problems.map(({ line, column, ...problem }) => problem);
  return { digest: jcsDigest([listDigest, omissions.map(objectDigest), placed]), listDigest };
}

/** What distinguishes processes that may rightly see different generations of one instance: each key has a sequence of its own (DESIGN decision 6). */
export function projectionKey(
  options: ProjectionOptions,
  host: { readonly os: string; readonly path: string | undefined; readonly stated: unknown },
): string {
  return jcsDigest({ options: { ...options, tiers: [...options.tiers].sort() }, host });
}
