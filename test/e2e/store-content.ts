import { cp, rm } from 'node:fs/promises';
import type { Quad } from '@rdfjs/types';
import { createService } from '../../src/service.js';
import { openGraphStore } from '../../src/store/graph-store.js';
import { readNodes } from './history-content.js';
import { Instance } from './instance.js';

/** What a folder of documents says: the digest of the generation, and the quads, each as a line. */
export interface FolderTruth {
  readonly digest: string;
  readonly quads: readonly string[];
  /** As `readNodes` gives them. */
  readonly nodes: readonly string[];
}

/** Makes the state anew from a copy of the documents and the config alone. The config must state a name. */
export async function rebuild({ root }: Pick<Instance, 'root'>): Promise<FolderTruth> {
  const copy = await Instance.make();
  try {
    await rm(copy.path('graph'), { recursive: true });
    for (const name of ['graph', 'toolgraph.config.json']) {
      await cp(`${root}/${name}`, copy.path(name), { recursive: true, preserveTimestamps: true });
    }
    const service = createService({ root: copy.root, watch: false });
    try {
      const { digest } = await service.ready;
      return { digest, quads: storedQuads(copy), nodes: readNodes(copy) };
    } finally {
      await service.close();
    }
  } finally {
    await copy.dispose();
  }
}

/** All quads of the store of an instance, sorted. */
export function storedQuads({ root }: Pick<Instance, 'root'>): string[] {
  const store = openGraphStore(`${root}/.toolgraph`, 'test');
  try {
    return store.match().map(quadLine).sort();
  } finally {
    store.close();
  }
}

/** One line for each quad; two quads have the same exactly when they are equal. */
export function quadLine({ subject, predicate, object, graph }: Quad): string {
  const kind = object.termType === 'Literal' ? `${object.language}^^${object.datatype.value}` : '';
  return JSON.stringify([subject.value, predicate.value, object.termType, object.value, kind, graph.value]);
}
