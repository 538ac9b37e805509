import type { CallOutcome } from './invocation/outcome.js';
import type { Generation } from './projection/generation.js';
import type { SkillNode } from './projection/node.js';

/** A generation that became current. */
export interface GenerationChange {
  readonly generation: Generation;
  readonly previous: Generation | undefined;
  /** The bytes of the declarations differ: clients are told (DESIGN decision 5). */
  readonly listChanged: boolean;
}

export interface ServiceStatus {
  readonly instance: string;
  readonly version: string;
  readonly state: 'starting' | 'ready' | 'degraded';
  readonly generation?: { readonly number: number; readonly digest: string };
  readonly tools: number;
  readonly omissions: number;
  readonly problems: number;
  readonly documents: number;
}

/** One instance, followed while it changes. The only owner of the current generation. */
export interface Service {
  /** The first generation. Rejects when the instance cannot be read at all. */
  readonly ready: Promise<Generation>;
  readonly current: Generation | undefined;
  readonly skills: readonly SkillNode[];
  /** Tells of every generation that becomes current after the call. Returns the function that ends it. */
  subscribe(listener: (change: GenerationChange) => void): () => void;
  /** Why a name that is not in the current generation is not: it was removed, or is omitted now (tool-node.md §4). */
  absence(name: string): { readonly code: 'tool_removed' | 'tool_unavailable'; readonly reason: string } | undefined;
  /** Runs one call of the entry that has this name in `generation`. */
  call(generation: Generation, name: string, args: unknown, signal?: AbortSignal): Promise<CallOutcome>;
  status(): ServiceStatus;
  close(): Promise<void>;
}
