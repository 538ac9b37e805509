import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { run } from '../cli/cli-process.js';
import { eventually } from './deadline.js';
import { makeInstance, startHttpServer } from './harness.js';
import { toolNode } from './instance.js';

/** An instance with a tool that runs until `go` is written, and writes `started` when it does. */
async function waitingInstance() {
  const instance = await makeInstance([toolNode('waits', { invoke: { shell: './waits.sh' } })]);
  await instance.script('waits.sh', [
    'touch started',
    'while [ ! -e go ] && [ -e waits.sh ]; do sleep 0.05; done',
    'echo done',
  ]);
  return instance;
}

describe('The end of a server over HTTP', () => {
  it('lets a call in flight be answered, in both eras, ends a listen with its result, and takes no new client', async () => {
    const instance = await waitingInstance();
    const server = await startHttpServer(instance);
    const [first, current] = [await server.open('2025-11-25'), await server.open('2026-07-28')];
    const listening = current.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const calls = [first.call('waits'), current.call('waits')];
    await eventually(() => instance.exists('started'), 'the tool has started');
    server.kill('SIGTERM');
    expect((await listening.answer()).result).toMatchObject({ resultType: 'complete' });
    await eventually(
      () =>
        fetch(server.url).then(
          () => false,
          () => true,
        ),
      'connections are refused',
    );
    await instance.write('go', '');
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(['done\n', 'done\n']);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('is at once with a second signal, whichever two they are', async () => {
    const instance = await waitingInstance();
    const server = await startHttpServer(instance);
    const session = await server.open('2026-07-28');
    const listening = session.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const call = session.send('tools/call', { name: 'waits', arguments: {} });
    await eventually(() => instance.exists('started'), 'the tool has started');
    server.kill('SIGINT');
    await listening.answer();
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: null, signal: 'SIGTERM' });
    await instance.write('go', '');
    await call.answer(1).catch(() => {});
  });
});

describe('The start of a server over HTTP', () => {
  it('says that the port is taken, and by its exit code that it did not start', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      await instance.config({ http: { port } });
      for (const words of [['--http'], ['--http', `127.0.0.1:${port}`]]) {
        const { code, stderr } = await run(['serve', instance.root, ...words]);
        expect([code, stderr]).toEqual([
          1,
          `toolgraph: http://127.0.0.1:${port} is taken by another process; give another port, or end that process\n`,
        ]);
      }
    } finally {
      taken.close();
    }
  });

  it('listens where the config says, for what the command line leaves out', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const loopbacks = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const hasIpv6 = loopbacks.some(({ address }) => address === '::1');
    await instance.config({ http: { host: hasIpv6 ? '::1' : '127.0.0.1', port: 1 } });
    const server = await startHttpServer(instance);
    expect(server.url.hostname).toBe(hasIpv6 ? '[::1]' : '127.0.0.1');
    expect(await (await server.open('2026-07-28')).names()).toEqual(['a']);
  });

  it('asks for a port that nothing names', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const { code, stderr } = await run(['serve', instance.root, '--http']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--http: no port is given')]);
  });

  it('does not happen with a problem, and gives a client that asked meanwhile no list', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.write('graph/broken.json', '{"id": "broken"');
    const { code, stderr } = await run(['serve', instance.root, '--http', '0']);
    expect(code).toBe(1);
    expect(stderr).toContain('graph/broken.json');
    expect(stderr).toContain('not started because of 1 problem');
  });
});
