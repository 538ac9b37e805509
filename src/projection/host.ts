/** What the projection has to know of the host. It asks with `hostQuestions`; `instance/host.ts` answers. */
export interface HostQuestions {
  /** First words of shell arms: a command, or a path of the instance when it holds `/`. */
  readonly commands: ReadonlySet<string>;
  /** Paths of modules of the instance. */
  readonly modules: ReadonlySet<string>;
  /** Container engines: podman, docker. */
  readonly engines: ReadonlySet<string>;
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
  /** Whether there is such a file. */
  readonly modules: ReadonlyMap<string, boolean>;
  /** Whether it can run containers. Of two that can, the one that is used. */
  readonly engines: ReadonlyMap<string, boolean>;
  readonly runtimes: ReadonlyMap<string, boolean>;
  /** Set in the environment, and passed on: one of the basic variables, or permitted by the config. */
  readonly env: ReadonlyMap<string, boolean>;
  readonly paths: ReadonlyMap<string, boolean>;
  /** By `moduleKey`: why a function of a module cannot be had, to be read after the path of the module. Known once it was tried. */
  readonly failedModules?: ReadonlyMap<string, string>;
}

export const answerKinds = ['commands', 'modules', 'engines', 'runtimes', 'env', 'paths'] as const;

/** The questions that were answered. */
export function questionsOf(facts: HostFacts): HostQuestions {
  const { commands, modules, engines, runtimes, env, paths } = facts;
  const names = (answers: ReadonlyMap<string, boolean>): ReadonlySet<string> => new Set(answers.keys());
  return {
    ...{ commands: names(commands), modules: names(modules), engines: names(engines) },
    ...{ runtimes: names(runtimes), env: names(env), paths: names(paths) },
  };
}

/** Whether `next` answers as `last` did. Answers to new questions change nothing for the nodes that did not ask them. */
export function haveSameAnswers(last: HostFacts, next: HostFacts): boolean {
  if (last === next) return true;
  return (
    last.os === next.os &&
    last.network === next.network &&
    haveSameFailures(last, next) &&
    answerKinds.every((kind) => agree(last[kind], next[kind]))
  );
}

/** `last` with the answers of `next`, which is later; `last` itself when it has them all. */
export function withAnswers(last: HostFacts, next: HostFacts): HostFacts {
  const hasAll = answerKinds.every((kind) => [...next[kind].keys()].every((name) => last[kind].has(name)));
  if (hasAll && haveSameAnswers(last, next)) return last;
  const both = (kind: (typeof answerKinds)[number]) => new Map([...last[kind], ...next[kind]]);
  return {
    ...next,
    ...{ commands: both('commands'), modules: both('modules'), engines: both('engines') },
    ...{ runtimes: both('runtimes'), env: both('env'), paths: both('paths') },
  };
}

function haveSameFailures(
  { failedModules: last = new Map() }: HostFacts,
  { failedModules: next = new Map() }: HostFacts,
) {
  return last.size === next.size && [...next].every(([key, reason]) => last.get(key) === reason);
}

function agree(last: ReadonlyMap<string, boolean>, next: ReadonlyMap<string, boolean>): boolean {
  for (const [name, answer] of next) {
    const before = last.get(name);
    if (before !== undefined && before !== answer) return false;
  }
  return true;
}
