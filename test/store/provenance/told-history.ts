import { hash } from 'node:crypto';
import type { PartOfGeneration } from '../../../src/projection/generation-parts.js';
import type {
  GenerationHistory,
  InstanceHistory,
  SeenDocument,
  SeenNodes,
} from '../../../src/store/provenance/history.js';

/** A document that holds Tools by id, each with a text, in the content of the document. */
export interface TestDocument {
  readonly tools: Readonly<Record<string, string>>;
  readonly broken?: SeenNodes['broken'];
  readonly alsoIn?: readonly string[];
  /** Changes the bytes only. */
  readonly format?: string;
  /** `ctimeNs`. */
  readonly changedAt?: number;
}

export const base = 'urn:test:';
export const tool = (id: string, description: string) => ({ id, description, satisfies: ['a-skill'] });
export const iri = (id: string) => `${base}tool/${id}`;

export function seen(document: TestDocument): SeenDocument {
  const { tools, broken = [], alsoIn, changedAt = 1 } = document;
  const nodes = Object.entries(tools).map(([id, text]) => ({
    iri: iri(id),
    tool: tool(id, text),
    ...(alsoIn === undefined ? {} : { alsoIn }),
  }));
  const sha256 = hash('sha256', JSON.stringify([tools, document.format ?? '', broken]), 'hex');
  return { sha256, signature: `1:100:1:${changedAt}`, nodes: () => ({ tools: nodes, broken }) };
}

export type TestInstance = Readonly<Record<string, TestDocument>>;

/** A history of one instance; `changed` are the paths that may be other, all when it is left out. */
export function instanceHistory(
  documents: TestInstance,
  { changed, ...rest }: Partial<Omit<InstanceHistory, 'changed'>> & { readonly changed?: readonly string[] } = {},
): InstanceHistory {
  const all = new Map(Object.entries(documents).map(([path, document]) => [path, seen(document)]));
  const some = changed && new Map(changed.map((path) => [path, all.get(path)]));
  return {
    instance: '',
    base,
    program: 'p',
    all: () => all,
    ...(some === undefined ? {} : { changed: some }),
    ...rest,
  };
}

/** Declarations by MCP name: their definition. */
export function parts(declared: Readonly<Record<string, string>>): PartOfGeneration[] {
  return Object.entries(declared).map(([name, definition]) => ({
    kind: 'declaration',
    identity: `${definition} ${iri(name)}`,
    ...{ iri: iri(name), name, definition },
  }));
}

export function history(
  instances: readonly InstanceHistory[],
  now: readonly PartOfGeneration[] = [],
  before?: { readonly base: number; readonly parts: readonly PartOfGeneration[] },
): GenerationHistory {
  const keys = (all: readonly PartOfGeneration[]) => new Set(all.map(({ identity }) => identity));
  return {
    instances,
    parts: {
      all: () => now,
      base: before?.base,
      difference: () => ({
        gone: (before?.parts ?? []).filter(({ identity }) => !keys(now).has(identity)),
        added: now.filter(({ identity }) => !keys(before?.parts ?? []).has(identity)),
      }),
    },
  };
}
