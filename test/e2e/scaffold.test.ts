import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as CurrentClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtinType } from '../../schemas/define-tool.js';
import { run } from '../cli/cli-process.js';
import { serveEnv } from './harness.js';
import { Instance, toolNode, typeIri } from './instance.js';
import { RawClient } from './raw-client.js';
import { eras, Session } from './session.js';

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

let made: Instance;
let folder: string;

beforeAll(async () => {
  const whom = { name: 'whom', schema: typeIri('Word'), required: true, arg: { positional: 0 } };
  const greeting = { name: 'greeting', schema: builtinType('Text'), from: { stdout: 'text' } };
  made = await Instance.make([
    toolNode('greet', { effect: 'read', io: { inputs: [whom], outputs: [greeting] } }),
    toolNode('send', { requiresConfirmation: true, effect: 'write' }),
  ]);
  await made.config({ name: 'demo' });
  folder = made.path('build');
  await run(['build', made.root, '--out', folder, '--scaffold']);
  await symlink(packages, join(folder, 'node_modules'));
  compile();
  return () => made.dispose();
});

/** With the compiler and the options of the scaffold itself; what it finds is in the error. */
function compile(): void {
  execFileSync(process.execPath, [join(packages, 'typescript/bin/tsc')], { cwd: folder, encoding: 'utf8' });
}

async function listed(): Promise<unknown[]> {
  return JSON.parse(await readFile(join(folder, 'mcp-tools.json'), 'utf8')).tools;
}

function spawnServer() {
  return { command: process.execPath, args: [join(folder, 'server.js')], cwd: tmpdir(), env: serveEnv() };
}

const notImplemented = { code: 'not_implemented', message: 'send is not implemented', details: { tool: 'send' } };

describe('The scaffold', () => {
  it.each(eras)('lists the tools byte for byte, and fails each call with data: %s', async (era) => {
    const { command, args, cwd, env } = spawnServer();
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const session = await Session.open(new RawClient(child.stdin, child.stdout), era);
    const { line } = await session.request('tools/list');
    expect(line).toContain(`"tools":${JSON.stringify(await listed())}`);
    const { isError, refusal } = await session.call('send', { user_confirmed: true });
    expect([isError, refusal]).toEqual([true, notImplemented]);
    const { error } = await session.request('tools/call', { name: 'gone', arguments: {} });
    expect(error).toMatchObject({ code: -32602, message: 'Unknown tool: gone' });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('serves the clients of both SDKs', async () => {
    const first = new FirstClient({ name: 'test', version: '0' });
    await first.connect(new FirstTransport({ ...spawnServer(), stderr: 'ignore' }));
    const current = new CurrentClient({ name: 'test', version: '0' }, { versionNegotiation: { mode: 'auto' } });
    await current.connect(new CurrentTransport({ ...spawnServer(), stderr: 'ignore' }));
    for (const client of [first, current]) {
      onTestFinished(() => client.close());
      expect((await client.listTools()).tools).toEqual(await listed());
      const { isError, content } = await client.callTool({ name: 'send', arguments: { user_confirmed: true } });
      expect(isError).toBe(true);
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(notImplemented) }]);
    }
  });

  it('runs a handler that somebody fills in, on arguments that satisfy the schema, and shows no inside of one that throws', async () => {
    const path = join(folder, 'server.ts');
    const source = await readFile(path, 'utf8');
    const handlers = source.replace(
      /^ {2}\/\/ \['say_hello'.*$/m,
      "['greet', ({ whom }) => ({ content: [{ type: 'text', text: 'Hello ' + whom }], structuredContent: { greeting: 'Hello ' + whom } })],\n['send', () => { throw new Error('secret'); }],",
    );
    expect(handlers).not.toBe(source);
    await writeFile(path, handlers);
    compile();
    const { command, args, cwd, env } = spawnServer();
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill());
    const session = await Session.open(new RawClient(child.stdin, child.stdout), '2026-07-28');
    expect(await session.call('greet', { whom: 'anna' })).toMatchObject({ text: 'Hello anna', isError: false });
    const { structuredContent } = await session.result('tools/call', { name: 'greet', arguments: { whom: 'anna' } });
    expect(structuredContent).toEqual({ greeting: 'Hello anna' });
    expect((await session.call('greet', { whom: 'ANNA' })).refusal?.code).toBe('invalid_params');
    const { text, refusal } = await session.call('send', { user_confirmed: true });
    expect([refusal?.code, text.includes('secret')]).toEqual(['internal_error', false]);
  });
});
