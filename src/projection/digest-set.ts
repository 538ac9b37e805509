import { hash } from 'node:crypto';

/**
 * A set of sha-256 digests with a digest of its own: a tree of one level (Merkle), so that a change of one member digests the
 * members of one branch and the branches, whatever the size of the set. Members are kept in branches by their first byte.
 */
export class DigestSet {
  readonly #branches = new Map<string, Set<string>>();
  readonly #digests = new Map<string, string>();

  /** `digest` is hex sha-256. */
  add(digest: string): void {
    const key = branchOf(digest);
    const branch = this.#branches.get(key) ?? new Set();
    branch.add(digest);
    this.#branches.set(key, branch);
    this.#digests.delete(key);
  }

  delete(digest: string): void {
    const key = branchOf(digest);
    this.#branches.get(key)?.delete(digest);
    this.#digests.delete(key);
  }

  /** Hex sha-256 over the members, which depends on nothing else. */
  digest(): string {
    const branches = [...this.#branches].filter(([, members]) => members.size > 0).map(([key]) => key);
    return sha256(branches.sort().map((key) => key + this.#digestOf(key)));
  }

  #digestOf(key: string): string {
    const known = this.#digests.get(key) ?? sha256([...(this.#branches.get(key) ?? [])].sort());
    this.#digests.set(key, known);
    return known;
  }
}

function branchOf(digest: string): string {
  return digest.slice(0, 2);
}

function sha256(parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'hex');
}
