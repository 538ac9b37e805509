/** What the projection has to know of the host. It asks with `hostQuestions`; `instance/host.ts` answers. */
export interface HostQuestions {
  /** First words of shell arms: a command, or a path of the instance when it holds `/`. */
  readonly commands: ReadonlySet<string>;
  /** Values of `requires.runtime`: a command or `python:module`. */
  readonly runtimes: ReadonlySet<string>;
  /** Values of `requires.env`. */
  readonly env: ReadonlySet<string>;
  /** Values of `when.exists`. */
  readonly paths: ReadonlySet<string>;
}

/** The answers, at one moment. A name that is not in a map has not been asked and counts as unmet. */
export interface HostFacts {
  /** As in `process.platform`: linux, darwin. */
  readonly os: string;
  readonly network: boolean;
  readonly commands: ReadonlyMap<string, boolean>;
  readonly runtimes: ReadonlyMap<string, boolean>;
  /** Set in the environment, and passed on: one of the basic variables, or permitted by the config. */
  readonly env: ReadonlyMap<string, boolean>;
  readonly paths: ReadonlyMap<string, boolean>;
}
