import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { type DocumentWrite, type GraphStore, openGraphStore } from '../../src/store/graph-store.js';
import { StoreError } from '../../src/store/store-error.js';
import { smallTool, write } from './tool-quads.js';

/** A fresh state folder for each test, and the stores that it opens; all are closed and removed after it. */
export class StoreFolder {
  path = '';
  readonly #open: GraphStore[] = [];

  constructor() {
    beforeEach(() => {
      this.path = mkdtempSync(join(tmpdir(), 'toolgraph-store-'));
    });
    afterEach(() => {
      this.closeAll();
      rmSync(this.path, { recursive: true });
    });
  }

  open(version = '1.0.0', options?: { busyTimeoutMs: number }): GraphStore {
    const store = openGraphStore(this.path, version, options);
    this.#open.push(store);
    return store;
  }

  closeAll(): void {
    for (const store of this.#open.splice(0)) store.close();
  }
}

/** Stores the Tool `id` in `graph/<id>.json`. */
export async function putTool(
  store: GraphStore,
  id = 'a',
  description?: string,
  expected?: string,
): Promise<DocumentWrite> {
  const item = await write(`graph/${id}.json`, smallTool(id, description), expected);
  expect(store.putDocuments([item]).written).toEqual([`graph/${id}.json`]);
  return item;
}

export function thrown(act: () => unknown): StoreError {
  try {
    act();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
