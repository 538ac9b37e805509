import type { Diagnostic } from './diagnostic.js';
import { configPlaces } from './ingest/config-places.js';
import type { ScanOptions } from './ingest/scan.js';
import { type ConfigOverrides, type InstanceConfig, readConfig } from './instance/config.js';

/** The config of one instance: the last good one as it is written, with the overrides of whoever follows it. */
export class FollowedConfig {
  readonly #root: string;
  #stated: InstanceConfig;
  #overrides: ConfigOverrides;
  #current: InstanceConfig;
  #problems: readonly Diagnostic[];
  /** Of the file as it was read at first; undefined when there was none. */
  readonly signature: string | undefined;

  constructor(root: string, overrides: ConfigOverrides) {
    const { config, diagnostics, signature } = readConfig(root, configPlaces);
    this.#root = root;
    this.#stated = config;
    this.#overrides = overrides;
    this.#current = overridden(config, overrides);
    this.#problems = diagnostics;
    this.signature = signature;
  }

  /** The same object as long as nothing of it changes. */
  get current(): InstanceConfig {
    return this.#current;
  }

  /** What is wrong with the file as it is now. */
  get problems(): readonly Diagnostic[] {
    return this.#problems;
  }

  override(overrides: ConfigOverrides): void {
    this.#overrides = overrides;
    this.#current = overridden(this.#stated, overrides);
  }

  /**
   * Reads the file again. An invalid one changes nothing but the problems: the last good one stays in force. A valid one is in
   * force when `accept` has returned; what that throws passes.
   */
  reread(accept: (next: InstanceConfig) => void): void {
    const { config, diagnostics } = readConfig(this.#root, configPlaces);
    this.#problems = diagnostics;
    if (diagnostics.length > 0) return;
    const next = overridden(config, this.#overrides);
    accept(next);
    this.#stated = config;
    this.#current = next;
  }
}

export function scanOptions({ folders, ignore, limits }: InstanceConfig): ScanOptions {
  return { folders, ignore, documentBytes: limits.documentBytes, documents: limits.documents };
}

function overridden(config: InstanceConfig, overrides: ConfigOverrides): InstanceConfig {
  const stated = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return { ...config, ...Object.fromEntries(stated) };
}
