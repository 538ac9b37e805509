import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import type { Declaration } from '../../schemas/declaration.js';
import { cliPath } from '../e2e/build.js';
import { serveEnv } from '../e2e/harness.js';
import { Instance } from '../e2e/instance.js';
import { maintainerFolder } from './maintainer-folder.js';
import { mappedScripts, mappedTools, mappedTypes } from './mapped-tools.js';

/** An instance that every client reads. */
export interface ServedInstance {
  readonly name: string;
  /** Its root; what was written for a test is removed after it. */
  readonly open: () => Promise<string>;
}

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

const maintainers = maintainerFolder();

export const servedInstances: readonly ServedInstance[] = [
  { name: 'every row of the mapping', open: async () => (await writeMapped()).root },
  { name: 'every row of the mapping, prefixed', open: async () => (await writeMapped({ prefix: 'harness9' })).root },
  { name: "the project's own instance", open: async () => projectRoot },
  ...(maintainers === undefined ? [] : [{ name: maintainers, open: async () => maintainers }]),
];

/** Writes the nodes of `mappedTools` into a folder of its own, with `config` beside the tiers. Removed after the test. */
export async function writeMapped(config: Record<string, unknown> = {}): Promise<Instance> {
  const instance = await makeMapped(config);
  onTestFinished(() => instance.dispose());
  return instance;
}

/** As `writeMapped`, for whoever removes it. */
export async function makeMapped(config: Record<string, unknown> = {}): Promise<Instance> {
  const instance = await Instance.make(mappedTools);
  await instance.writeTypes(mappedTypes);
  for (const [path, lines] of Object.entries(mappedScripts)) await instance.script(path, lines);
  await instance.config({ tiers: ['stable', 'experimental', 'deprecated'], ...config });
  return instance;
}

/** What `toolgraph tools --json` says of an instance. */
export interface Reported {
  readonly tools: readonly Declaration[];
  readonly omissions: readonly object[];
  readonly problems: readonly object[];
}

/** Runs `toolgraph tools --json` with the environment that a server gets. */
export async function reported(root: string): Promise<Reported> {
  const { stdout } = await execa(process.execPath, [cliPath, 'tools', root, '--json'], {
    env: serveEnv(),
    extendEnv: false,
    // Problems end it with 1; the report is there all the same.
    reject: false,
  });
  return JSON.parse(stdout) as Reported;
}

/** The declarations of an instance, in the order of the list. */
export async function declaredTools(root: string): Promise<readonly Declaration[]> {
  return (await reported(root)).tools;
}
