import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { processIdentity } from '../../../src/invocation/process-identity.js';
import { lostStartCode } from '../../../src/invocation/spawn-child.js';
import { socketHeader } from '../../../src/invocation/spawner/messages.js';
import { ReadySockets } from '../../../src/invocation/spawner/ready-sockets.js';
import { Spawner } from '../../../src/invocation/spawner/spawner.js';
import { type ProcessStart, type StartedProcess, startProcess } from '../../../src/invocation/start-process.js';
import { scratchFolder } from '../shell-entry.js';

const patient = { timeout: 20_000 };
const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };

async function begun(): Promise<Spawner> {
  const spawner = await Spawner.begin();
  if (spawner === undefined) throw new Error('no spawner could be started');
  return spawner;
}

/** Waits for sockets where there are none yet. */
async function startBy(spawner: Spawner, command: Partial<ProcessStart>, withOutputs = false) {
  const whole = { file: 'true', args: [], cwd: '/', env, ...command };
  return await vi.waitFor(() => {
    const starting = spawner.start(whole, withOutputs);
    if (starting === undefined) throw new Error('no sockets');
    return starting;
  }, patient);
}

async function running(spawner: Spawner, command: Partial<ProcessStart>, withOutputs = false): Promise<StartedProcess> {
  const started = await startBy(spawner, command, withOutputs);
  if ('errorCode' in started) throw new Error(`not started: ${started.errorCode}`);
  return started;
}

describe.runIf(process.platform === 'linux')('a spawner', () => {
  let spawner: Spawner;
  const start = (command: Partial<ProcessStart>) => startBy(spawner, command);

  beforeAll(async () => {
    spawner = await begun();
  });
  afterAll(() => spawner.end());

  async function ran(command: Partial<ProcessStart>) {
    const child = await running(spawner, command);
    const [stdout, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
    return { stdout, stderr, ...exit };
  }

  it('starts a program with these words, this environment and this folder, and nothing else', async () => {
    const cwd = await scratchFolder();
    const args = ['$HOME', '', 'a b', '"', '\n', '--', 'é'];
    const code = 'console.log(JSON.stringify([process.argv.slice(1), process.env, process.cwd()]))';
    const { stdout } = await ran({ file: process.execPath, args: ['-e', code, '--', ...args], cwd, env: { A: 'é\n' } });
    expect(JSON.parse(stdout)).toEqual([args, { A: 'é\n' }, cwd]);
  });

  it('gives it three streams that block, and no other file', async () => {
    const lines = 'cat /proc/self/fdinfo/0 /proc/self/fdinfo/1 /proc/self/fdinfo/2; ls /proc/self/fd';
    const { stdout } = await ran({ file: 'sh', args: ['-c', lines], stdin: 'x' });
    const flags = [...stdout.matchAll(/^flags:\s+(\d+)$/gm)].map(([, octal = '']) => Number.parseInt(octal, 8));
    expect(flags.map((flag) => flag & 0o4000)).toEqual([0, 0, 0]);
    // Whoever runs this test may have left a file open that every process inherits.
    const here = await startProcess({ file: 'ls', args: ['/proc/self/fd'], cwd: '/', env }, { withOutputs: false });
    if ('errorCode' in here) throw new Error('no ls');
    expect(`${stdout.slice(stdout.lastIndexOf(':'))}`.split('\n').slice(1)).toEqual(
      (await text(here.stdout)).split('\n'),
    );
  });

  it('has it lead its own group, and tells which process and which outputs it has', async () => {
    const child = await running(
      spawner,
      { file: 'sh', args: ['-c', 'ps -o pgid= -p $$; readlink /proc/$$/fd/1; cat'], stdin: '' },
      true,
    );
    const [group, output] = (await text(child.stdout)).trim().split('\n');
    expect(Number(group)).toBe(child.pid);
    expect(child.outputs[0]).toBe(output);
    await child.exited;
  });

  it('tells the identity of one that runs', async () => {
    const child = await running(spawner, { file: 'cat', stdin: 'x'.repeat(10) });
    expect(child.identity?.split(' ').slice(0, 2)).toEqual(
      (await processIdentity(process.pid))?.split(' ').slice(0, 2),
    );
    await child.exited;
  });

  it('passes on exit codes and signals', async () => {
    expect(await ran({ file: 'sh', args: ['-c', 'echo out; echo err >&2; exit 7'] })).toEqual({
      ...{ stdout: 'out\n', stderr: 'err\n', exitCode: 7, signal: null },
    });
    expect(await ran({ file: 'sh', args: ['-c', 'kill -SEGV $$'] })).toMatchObject({
      exitCode: null,
      signal: 'SIGSEGV',
    });
  });

  it('gives it the end of a file without stdin, else all of it', async () => {
    const stdin = 'é'.repeat(1_000_000);
    expect(await ran({ file: 'cat' })).toMatchObject({ stdout: '', exitCode: 0 });
    expect((await ran({ file: 'cat', stdin })).stdout).toBe(stdin);
    expect(await ran({ file: 'cat', stdin: '' })).toMatchObject({ stdout: '', exitCode: 0 });
    expect(await ran({ file: 'sh', args: ['-c', 'exec <&-; echo closed'], stdin })).toMatchObject({
      stdout: 'closed\n',
    });
  });

  it('passes 50 MB on, and 30,000 words', async () => {
    const child = await running(spawner, { file: 'head', args: ['-c', '50000000', '/dev/zero'] });
    const bytes = await buffer(child.stdout);
    const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    expect(sha256(bytes)).toBe(sha256(Buffer.alloc(50_000_000)));
    const words = Array.from({ length: 30_000 }, (_, i) => `word-${i}`);
    expect((await ran({ file: 'printf', args: ['%s\n', ...words] })).stdout).toBe(`${words.join('\n')}\n`);
  });

  it('tells why it could not start one', async () => {
    const cwd = await scratchFolder();
    const plain = join(cwd, 'plain');
    await writeFile(plain, 'x');
    await chmod(plain, 0o644);
    await mkdir(join(cwd, 'folder'));
    expect(await start({ file: 'no-such-command-anywhere' })).toEqual({ errorCode: 'ENOENT' });
    expect(await start({ cwd: join(cwd, 'away') })).toEqual({ errorCode: 'ENOENT' });
    expect(await start({ file: plain })).toEqual({ errorCode: 'EACCES' });
    expect(await start({ args: ['x'.repeat(3_000_000)] })).toEqual({ errorCode: 'E2BIG' });
    expect(await start({ args: ['\0'] })).toEqual({ errorCode: 'ERR_INVALID_ARG_VALUE' });
  });

  it('starts many at once', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, (_, i) => ran({ file: 'echo', args: [String(i)] })));
    expect(all.map(({ stdout }) => Number(stdout))).toEqual(all.map((_, i) => i));
  });
});

describe.runIf(process.platform === 'linux')('the end of a spawner', () => {
  it('kills and gives up what it has started, and it starts nothing more', async () => {
    const spawner = await begun();
    const child = await running(spawner, { file: 'sleep', args: ['300'] });
    process.kill(spawner.pid ?? 0, 'SIGKILL');
    expect(await child.exited).toEqual({ exitCode: null, signal: null, isLost: true });
    await vi.waitFor(async () => expect(await processIdentity(child.pid)).toBeUndefined(), patient);
    expect(spawner.isEnded).toBe(true);
    expect(spawner.start({ file: 'true', args: [], cwd: '/', env }, false)).toBeUndefined();
  });

  it('fails a start of which it has said nothing', async () => {
    const spawner = await begun();
    await (await running(spawner, {})).exited;
    process.kill(spawner.pid ?? 0, 'SIGSTOP');
    const starting = startBy(spawner, {});
    process.kill(spawner.pid ?? 0, 'SIGKILL');
    expect(await starting).toEqual({ errorCode: lostStartCode });
  });

  it('comes when all that it has started have ended', async () => {
    const spawner = await begun();
    const child = await running(spawner, { file: 'cat', stdin: 'whole' });
    spawner.end();
    expect(await text(child.stdout)).toBe('whole');
    expect(await child.exited).toEqual({ exitCode: 0, signal: null });
    await vi.waitFor(async () => expect(await processIdentity(spawner.pid ?? 0)).toBeUndefined(), patient);
  });
});

describe.runIf(process.platform === 'linux')('ReadySockets', () => {
  it('takes those that know the secret, by their numbers', async () => {
    const sockets = await ReadySockets.listen();
    const said = async (header: string) => {
      const socket = connect(sockets.address);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket
        .on('error', () => {})
        .resume()
        .write(header);
      return { socket, closed };
    };
    const stranger = await said(socketHeader('0'.repeat(32), 1));
    await stranger.closed;
    const talker = await said(`${socketHeader(sockets.token, 2)}more`);
    await talker.closed;
    const known = await said(socketHeader(sockets.token, 3));
    const taken = await vi.waitFor(() => {
      const found = sockets.take(1);
      if (found === undefined) throw new Error('not yet');
      return found;
    }, patient);
    expect(taken.map(([number]) => number)).toEqual([3]);
    expect(sockets.take(1)).toBeUndefined();
    sockets.close();
    for (const [, socket] of taken) socket.destroy();
    await known.closed;
  });
});
