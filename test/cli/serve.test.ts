import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/deadline.js';
import { makeInstance, startServer } from '../e2e/harness.js';
import { nodePath, toolNode } from '../e2e/instance.js';
import { isRunning } from '../e2e/processes.js';
import { run, TerminalSession } from './cli-process.js';

const sessions: TerminalSession[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.kill();
});

function atTerminal(words: readonly string[], stdoutFile?: string): TerminalSession {
  const session = new TerminalSession(words, { NO_COLOR: '1' }, stdoutFile);
  sessions.push(session);
  return session;
}

const broken = '{"id": "broken"';
const listRequests = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('');

describe('toolgraph serve on pipes', () => {
  it('says on stderr what it serves: a summary line, then each omission', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('late', { tier: 'experimental' })]);
    await instance.config({ name: 'demo' });
    const { code, stderr } = await run(['serve', instance.root], { input: listRequests });
    expect(code).toBe(0);
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toBe('toolgraph: 1 tool, 1 omission, 0 problems (generation 1, instance demo)');
    expect(lines[1]).toMatch(/^graph\/tools\/late\.json: late omitted: tier: /);
    expect(lines).toHaveLength(2);
  });

  it('does not start with a problem: all are listed, and the client is given no list', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.write('graph/tools/broken.json', broken);
    await instance.write('graph/tools/odd.json', toolNode('odd', { invok: 1 }));
    const { code, stdout, stderr } = await run(['serve', instance.root], { input: listRequests });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^graph\/tools\/broken\.json:1:\d+: unreadable: /m);
    expect(stderr).toMatch(/^graph\/tools\/odd\.json:\d+:\d+: invalid-node: /m);
    expect(stderr).toMatch(/not started because of 2 problems: .*--keep-going\n$/);
    expect(stdout).not.toContain('"tools":[');
  });

  it.each(['--keep-going', 'keepGoing'])('starts with a problem when %s says so', async (way) => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.write('graph/tools/broken.json', broken);
    if (way === 'keepGoing') await instance.config({ keepGoing: true });
    const args = way === 'keepGoing' ? [] : ['--keep-going'];
    const { code, stdout, stderr } = await run(['serve', instance.root, ...args], { input: listRequests });
    expect(code).toBe(0);
    expect(stdout).toContain('"name":"a"');
    expect(stderr).toContain('1 problem (generation');
  });

  it('writes protocol only on stdout, and a line on stderr for each later generation', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    await instance.replace(nodePath('b'), toolNode('b'));
    await server.stderr.next((line) => /^toolgraph: generation 2: added b$/.test(line));
    await instance.replace(nodePath('b'), broken);
    await server.stderr.next((line) => /: unreadable: /.test(line));
    expect(await session.names()).toEqual(['a', 'b']);
    expect(server.wire.strayLines).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('ends cleanly on %s, although the client keeps the pipe open', async (signal, code) => {
    const instance = await makeInstance([toolNode('a')]);
    const server = startServer(instance);
    await server.stderr.next((line) => line.startsWith('toolgraph: 1 tool'));
    server.kill(signal);
    expect(await server.exited).toEqual({ code, signal: null });
  });
});

describe('toolgraph serve at a terminal', () => {
  it('shows a live table, how to configure a client, and an edit when it arrives', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('late', { tier: 'experimental' })]);
    await instance.config({ name: 'demo' });
    const session = atTerminal(['serve', instance.root], instance.path('stdout.txt'));
    await session.waitFor(/Ctrl-C ends\./);
    expect(session.output).toContain('"mcpServers":{"demo":{"command":"node","args":[');
    expect(session.output).toContain('toolgraph: 1 tool, 1 omission, 0 problems (generation 1, instance demo)');
    expect(session.output).toMatch(/^ {2}a {2}shell {2}stable {2}Title of a - Does a\r$/m);
    expect(session.output).toMatch(/^ {2}late {2}tier {2}/m);

    const drawn = session.output.length;
    await instance.replace(nodePath('b'), toolNode('b'));
    await session.waitFor(/Ctrl-C ends\./, drawn);
    const redrawn = session.output.slice(drawn);
    expect(redrawn.replaceAll('\u001b', 'ESC')).toMatch(
      /^ESC\[\d+AESC\[J\d\d:\d\d:\d\d toolgraph: generation 2: added b\r$/m,
    );
    expect(redrawn).toMatch(/^ {2}b {2}shell {2}stable {2}Title of b - Does b\r$/m);

    session.type('\u0003');
    expect(await session.ended()).toBe(130);
    expect(readFileSync(instance.path('stdout.txt'), 'utf8')).toBe('');
  });

  it('over HTTP says where it listens in place of how to start it, reads nothing that is typed, and ends on Ctrl-C', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const session = atTerminal(['serve', instance.root, '--http', '0']);
    await session.waitFor(/Ctrl-C ends\./);
    expect(session.output).toMatch(/^toolgraph: listening on http:\/\/127\.0\.0\.1:\d+\/mcp\r$/m);
    expect(session.output).toMatch(/^ {2}a {2}shell {2}stable {2}Title of a - Does a\r$/m);
    expect(session.output).not.toContain('mcpServers');
    session.type('\u0004');
    const drawn = session.output.length;
    await instance.replace(nodePath('b'), toolNode('b'));
    await session.waitFor(/generation 2: added b/, drawn);
    session.type('\u0003');
    expect(await session.ended()).toBe(130);
  });

  it('ends on Ctrl-D', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const session = atTerminal(['serve', instance.root]);
    await session.waitFor(/Ctrl-C ends\./);
    session.type('\u0004');
    expect(await session.ended()).toBe(0);
  });

  it('looks again on SIGHUP while the terminal is there, and ends with the terminal', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const session = atTerminal(['serve', instance.root]);
    await session.waitFor(/Ctrl-C ends\./);
    // `script` has the root in its command line too, and is the older one.
    const { stdout } = await execa('pgrep', ['-nf', instance.root]);
    const pid = Number(stdout);
    process.kill(pid, 'SIGHUP');
    await session.waitFor(/told to look again \(SIGHUP\)/);
    expect(await isRunning(pid)).toBe(true);
    session.kill();
    await eventually(async () => !(await isRunning(pid)), 'the server ends with its terminal');
  });

  it('does not start with a problem', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.write('graph/tools/broken.json', broken);
    const session = atTerminal(['serve', instance.root]);
    expect(await session.ended()).toBe(1);
    expect(session.output).toMatch(/not started because of 1 problem/);
  });
});
