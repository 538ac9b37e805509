import type { Tool } from '../../schemas/tool.js';
import { armKinds, armsOf } from './arm.js';
import type { Unfitness } from './generation.js';
import type { HostFacts, HostQuestions } from './host.js';
import type { ToolNode } from './node.js';

/** What the host has to be asked so that these Tools can be judged: their requirements and all their arms. */
export function hostQuestions(nodes: readonly ToolNode[]): HostQuestions {
  const questions = {
    commands: new Set<string>(),
    modules: new Set<string>(),
    engines: new Set<string>(),
    runtimes: new Set<string>(),
    env: new Set<string>(),
    paths: new Set<string>(),
  };
  for (const { tool } of nodes) {
    for (const arm of armsOf(tool)) armKinds[arm].ask(tool, questions);
    for (const runtime of tool.requires?.runtime ?? []) questions.runtimes.add(runtime);
    for (const name of tool.requires?.env ?? []) questions.env.add(name);
    for (const path of tool.when?.exists ?? []) questions.paths.add(path);
  }
  return questions;
}

/** The first requirement that the host does not meet (P12), in the order of tool-node.md §3. The arms are not among them. */
export function unmetRequirement({ requires = {}, when }: Tool, host: HostFacts): Unfitness | undefined {
  const { os, runtime = [], network, env = [] } = requires;
  if (os !== undefined && !os.map(platformName).includes(platformName(host.os))) {
    return { code: 'unmet-os', reason: `it needs ${os.join(' or ')}; this host is ${host.os}` };
  }
  const runtimes = runtime.filter((name) => host.runtimes.get(name) !== true);
  if (runtimes.length > 0)
    return { code: 'unmet-runtime', reason: `it needs ${list(runtimes)}, not found on this host` };
  if (network === true && !host.network)
    return { code: 'unmet-network', reason: 'it needs the network, which is not there' };
  const variables = env.filter((name) => host.env.get(name) !== true);
  if (variables.length > 0) {
    const reason = `it needs the environment variable ${list(variables)}, not set or not listed under "env" in the config`;
    return { code: 'unmet-env', reason };
  }
  const paths = (when?.exists ?? []).filter((path) => host.paths.get(path) !== true);
  if (paths.length > 0) return { code: 'unmet-when', reason: `it waits for ${list(paths)}, not found in the instance` };
  return undefined;
}

/** Names in use for what `process.platform` calls darwin and win32. */
const platformNames: ReadonlyMap<string, string> = new Map([
  ...['macos', 'mac', 'osx', 'mac os'].map((name) => [name, 'darwin'] as const),
  ['windows', 'win32'],
]);

function platformName(os: string): string {
  const name = os.toLowerCase();
  return platformNames.get(name) ?? name;
}

function list(names: readonly string[]): string {
  return names.join(' and ');
}
