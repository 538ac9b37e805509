import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, lstatSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { errnoOf, fileSignature, readSettledFile } from '../instance/signature.js';
import { roomRemedy, StoreError } from './store-error.js';

const fileName = 'access-token.sha256';
const maxBytes = 1024;

/** What the state folder says of the token of the service. */
export type TokenState =
  | { readonly kind: 'none' }
  /** `digest`: the 32 bytes of its SHA-256. */
  | { readonly kind: 'set'; readonly digest: Buffer }
  /** There is a file that cannot be relied on, and `why`: no token fits, and there is not none either. */
  | { readonly kind: 'broken'; readonly why: string };

/**
 * SHA-256 of a token. A slow hash, as for passwords, would gain nothing: a token has 256 random bits, which nobody finds by trying, and this is
 * computed for every request.
 */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/**
 * Makes a token, puts its digest in the place of an older one, and returns it: `tg_` and 32 random bytes in base64url. It is kept nowhere. The file
 * is written whole or not at all, and only its owner can read it. Throws a StoreError.
 */
export function makeToken(folder: string): string {
  const token = `tg_${randomBytes(32).toString('base64url')}`;
  const path = join(folder, fileName);
  try {
    // It would be followed: a link in an instance must not decide where toolgraph writes.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(path);
    writeFileAtomic.sync(path, `${tokenDigest(token).toString('hex')}\n`, { mode: 0o600 });
  } catch (error) {
    throw writeFailure(folder, error);
  }
  return token;
}

/** Removes the token; false when there was none. Throws a StoreError. */
export function revokeToken(folder: string): boolean {
  try {
    rmSync(join(folder, fileName));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw writeFailure(folder, error);
  }
}

/** The token of a state folder, as it is at each moment. The file is looked at every time, and read only when it is another or was changed. */
export class TokenFile {
  readonly #path: string;
  readonly #name: string;
  #signature: string | undefined;
  #state: TokenState = { kind: 'none' };

  constructor(folder: string) {
    this.#path = join(folder, fileName);
    this.#name = shownName(folder);
  }

  /** The same object as long as the file is the same. */
  read(): TokenState {
    const stats = statOf(this.#path);
    // A change of the permissions changes the signature, too.
    const signature = typeof stats === 'object' ? fileSignature(stats) : stats;
    if (signature !== this.#signature) {
      this.#state = typeof stats === 'object' ? this.#readFile(stats) : absence(stats, this.#name);
      this.#signature = signature;
    }
    return this.#state;
  }

  #readFile(stats: BigIntStats): TokenState {
    const broken = (why: string): TokenState => ({
      kind: 'broken',
      why: `${this.#name} ${why}; make another with toolgraph token, or remove it with toolgraph token --revoke`,
    });
    const read = readSettledFile(this.#path, maxBytes);
    // One that was replaced since it was looked at is read at the next look.
    if (read.state !== 'read' || read.signature !== fileSignature(stats)) return broken('cannot be read');
    if ((stats.mode & 0o077n) !== 0n) return broken('can be read or written by other users');
    const hex = /^([0-9a-f]{64})\n$/.exec(Buffer.from(read.bytes).toString('latin1'))?.[1];
    return hex === undefined ? broken('does not hold a SHA-256') : { kind: 'set', digest: Buffer.from(hex, 'hex') };
  }
}

/** A code of the operating system where there is nothing to look at. */
function statOf(path: string): BigIntStats | string {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    return errnoOf(error);
  }
}

function absence(errno: string, name: string): TokenState {
  if (errno === 'ENOENT') return { kind: 'none' };
  return { kind: 'broken', why: `${name} cannot be looked at (${errno}); correct the permissions of its folder` };
}

function shownName(folder: string): string {
  return `${basename(folder)}/${fileName}`;
}

function writeFailure(folder: string, cause: unknown): StoreError {
  const name = shownName(folder);
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errnoOf(cause))
    ? new StoreError('full', `${name}: there is no room to write it; ${roomRemedy}`, { cause })
    : new StoreError('unwritable', `${name} cannot be written; correct the permissions of its folder`, { cause });
}
