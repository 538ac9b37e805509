import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpServerProcess, serveCommand, serveEnv } from '../e2e/harness.js';
import type { Instance } from '../e2e/instance.js';
import { resultText } from './result-text.js';
import { declaredTools, makeMapped } from './served-instances.js';

const inspector = fileURLToPath(
  new URL('./node_modules/@modelcontextprotocol/inspector/cli/build/cli.js', import.meta.url),
);

let instance: Instance;
let server: HttpServerProcess;

beforeAll(async () => {
  instance = await makeMapped();
  server = await HttpServerProcess.start(instance);
});

afterAll(async () => {
  await server?.stop();
  await instance?.dispose();
});

/** The result of one request of the inspector, which opens a connection for it alone: it is told of no change. */
async function ask(target: readonly string[], ...request: readonly string[]): Promise<unknown> {
  const args = [inspector, '--cli', ...target, ...request];
  const { stdout } = await execa(process.execPath, args, { env: serveEnv(), extendEnv: false });
  return JSON.parse(stdout);
}

const targets: readonly (readonly [string, () => readonly string[]])[] = [
  ['stdio', () => serveCommand(instance)],
  ['HTTP', () => [server.url.href, '--transport', 'http']],
];

it.each(targets)("the inspector's command line lists and calls over %s", async (_, target) => {
  expect(await ask(target(), '--method', 'tools/list')).toMatchObject({ tools: await declaredTools(instance.root) });
  const called = await ask(target(), '--method', 'tools/call', '--tool-name', 'takes_nothing');
  expect(resultText(called)).toBe('takes-nothing\n');
});
