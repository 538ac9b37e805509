import { chmod, mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { typeIri } from '../e2e/instance.js';
import type { Session } from '../e2e/session.js';
import { plainImage, statedImage } from './engine-setup.js';
import { containerInstance, containerNode, containerSession, containers, serveContainers } from './harness.js';

const word = { name: 'word', schema: typeIri('Word') };
const shell = (script: string) => ['sh', '-c', script];

async function textOf(session: Session, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const answer = await session.call(name, args);
  expect(answer).toMatchObject({ isError: false });
  return answer.text;
}

describe('P9: a Tool in a container', () => {
  it('is listed, gets its words, its inputs and stdin, and leaves nothing behind', async () => {
    const session = await containerSession([
      containerNode('say', "echo 'a b'", { io: { inputs: [{ ...word, arg: { flag: '--word' } }] } }),
      containerNode('copy', 'cat', { io: { inputs: [{ ...word, required: true, arg: { stdin: true } }] } }),
      containerNode('failing', shell('echo why >&2; exit 3')),
      {
        ...containerNode('stated', []),
        invoke: { container: statedImage },
        io: { inputs: [{ ...word, arg: { positional: 0 } }] },
      },
    ]);
    expect(await session.names()).toEqual(['copy', 'failing', 'say', 'stated']);
    expect(await textOf(session, 'say', { word: 'x' })).toBe('a b --word x\n');
    expect(await textOf(session, 'copy', { word: 'abc' })).toBe('abc');
    expect(await textOf(session, 'stated', { word: 'x' })).toBe('entry x\n');
    expect((await session.call('failing')).refusal).toMatchObject({
      code: 'exit_code',
      details: { exitCode: 3, stderr: 'why\n' },
    });
    expect(await containers()).toEqual([]);
  });

  it('cannot write its root, has no capability, no way to more, no network and is not root', async () => {
    const session = await containerSession([
      containerNode('root', shell('touch /x; echo $?; touch /tmp/x; echo $?')),
      containerNode('status', 'grep -E ^(Cap|NoNewPrivs) /proc/self/status'.split(' ')),
      containerNode('network', 'cat /proc/net/dev'),
      containerNode('user', 'id'),
    ]);
    expect(await textOf(session, 'root')).toBe('1\n0\n');
    const status = (await textOf(session, 'status')).split('\n').map((line) => line.split('\t'));
    expect(Object.fromEntries(status.filter(([name]) => name !== ''))).toEqual({
      'CapInh:': '0000000000000000',
      'CapPrm:': '0000000000000000',
      'CapEff:': '0000000000000000',
      'CapBnd:': '0000000000000000',
      'CapAmb:': '0000000000000000',
      'NoNewPrivs:': '1',
    });
    expect(
      (await textOf(session, 'network'))
        .split('\n')
        .slice(2)
        .map((line) => line.split(':')[0]?.trim()),
    ).toEqual(['lo', '']);
    expect(await textOf(session, 'user')).toMatch(/^uid=65534 gid=65534\b|^uid=65534\(/);
  });

  it('runs as the user that its image states, unless the config says another', async () => {
    const entrypoint = { invoke: { container: { image: statedImage } } };
    const flags = ['--entrypoint=["id", "-u"]'];
    const ofImage = await containerInstance([containerNode('who', [], entrypoint)], {}, flags);
    expect(await textOf(await serveContainers(ofImage).open('2025-11-25'), 'who')).toBe('1234\n');
    const ofConfig = await containerInstance([containerNode('who', [], entrypoint)], {}, [...flags, '--user=77']);
    expect(await textOf(await serveContainers(ofConfig).open('2025-11-25'), 'who')).toBe('77\n');
  });

  it('may use so much memory and so many processes, which the config can say', async () => {
    // Both versions of cgroups have these files, elsewhere.
    const files = ['memory/memory.limit_in_bytes', 'memory.max', 'pids/pids.max', 'pids.max'];
    const node = containerNode('limits', shell(`cd /sys/fs/cgroup; cat ${files.join(' ')} 2>/dev/null; true`));
    const usual = await containerInstance([node]);
    expect(await textOf(await serveContainers(usual).open('2025-11-25'), 'limits')).toBe('1073741824\n256\n');
    const other = await containerInstance([node], {}, ['--memory=64m', '--pids-limit=9']);
    expect(await textOf(await serveContainers(other).open('2025-11-25'), 'limits')).toBe('67108864\n9\n');
  });

  it('X12: gets the variables that the node lists and the config permits, and none of the host', async () => {
    const requires = { env: ['TOKEN', 'OTHER'] };
    const instance = await containerInstance(
      [containerNode('env', 'env', { requires: { env: ['TOKEN'] } }), containerNode('omitted', 'env', { requires })],
      { env: ['TOKEN', 'UNLISTED'] },
    );
    const env = {
      TOKEN: 's3cret-value',
      OTHER: 'x',
      UNLISTED: 'x',
      LC_ALL: 'C',
      USER: 'me',
      HTTP_PROXY: 'http://u:p@x',
    };
    const session = await serveContainers(instance, { env }).open('2025-11-25');
    expect(await session.names()).toEqual(['env']);
    const lines = (await textOf(session, 'env')).trim().split('\n');
    const own = lines.filter((line) => !/^(?:PATH|PWD|HOME|HOSTNAME|TERM|SHLVL|container)=/.test(line));
    expect(own.sort()).toEqual(['LC_ALL=C', 'TOKEN=s3cret-value']);
    expect(lines).toContain('HOME=/');
  });

  it('sees of the instance what the node mounts, and writes only where that says so', async () => {
    const instance = await containerInstance([
      containerNode('read', shell('cat /seen/a; touch /seen/b; echo $?'), {}, { mounts: ['data:/seen'] }),
      containerNode(
        'write',
        shell('echo new > /seen/b && cat /seen/b /data/a'),
        {},
        {
          mounts: [{ source: 'data', target: '/seen', readOnly: false }, 'data'],
        },
      ),
      containerNode('outside', 'true', {}, { mounts: ['link:/seen'] }),
      containerNode('missing', 'true', {}, { mounts: ['none:/seen'] }),
    ]);
    await mkdir(instance.path('data'), { mode: 0o777 });
    await instance.write('data/a', 'seen\n');
    await instance.write('data/b', '');
    await symlink('/etc', instance.path('link'));
    await chmod(instance.path('data/b'), 0o666);
    await chmod(instance.root, 0o755);
    const session = await serveContainers(instance).open('2025-11-25');
    expect(await textOf(session, 'read')).toBe('seen\n1\n');
    expect(await textOf(session, 'write')).toBe('new\nseen\n');
    expect((await session.call('outside')).refusal).toMatchObject({
      code: 'spawn_failed',
      message: 'The mount link leads outside the instance; copy what it leads to into the instance',
    });
    expect((await session.call('missing')).refusal).toMatchObject({
      code: 'spawn_failed',
      message: 'The mount none does not exist in the instance',
    });
  });

  it('whose program never ran is told apart from one that ended so itself', async () => {
    const session = await containerSession([
      containerNode('no-image', [], { invoke: { container: 'toolgraph-test:none' } }),
      containerNode('no-command', 'nosuch'),
      containerNode('no-program', '/tmp'),
      containerNode('own-125', shell('exit 125')),
      containerNode('own-127', shell('nosuch')),
      containerNode('killed', shell("sh -c 'kill -9 $$'; exit $?")),
      containerNode('no-entrypoint', [], {
        invoke: { container: plainImage },
        io: { inputs: [{ ...word, arg: { positional: 0 } }] },
      }),
    ]);
    const refusalOf = async (name: string, args = {}) => (await session.call(name, args)).refusal;
    expect(await refusalOf('no_image')).toMatchObject({
      code: 'spawn_failed',
      message:
        'The image toolgraph-test:none is not on this host, and a call downloads nothing; run: podman pull toolgraph-test:none',
    });
    expect(await refusalOf('no_command')).toMatchObject({
      code: 'spawn_failed',
      message: `There is no command nosuch in the image ${plainImage}`,
    });
    expect(await refusalOf('no_program')).toMatchObject({
      code: 'spawn_failed',
      message: `The command /tmp in the image ${plainImage} cannot be executed`,
    });
    expect(await refusalOf('own_125')).toMatchObject({ code: 'exit_code', details: { exitCode: 125 } });
    expect(await refusalOf('killed')).toMatchObject({
      code: 'exit_code',
      details: { exitCode: 137, signal: 'SIGKILL' },
    });
    expect(await refusalOf('own_127')).toMatchObject({ code: 'exit_code', details: { exitCode: 127 } });
    expect(await refusalOf('no_entrypoint', { word: 'ls' })).toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('state "command" in the node'),
    });
    expect(await containers()).toEqual([]);
  });

  it('X11: writes 50 MB, of which what is beyond the cap is cut', async () => {
    const instance = await containerInstance([
      containerNode('flood', shell('yes 0123456789 | head -c 50000000'), { limits: { outputBytes: 65_536 } }),
    ]);
    const session = await serveContainers(instance).open('2025-11-25');
    const text = await textOf(session, 'flood');
    expect(text.length).toBeLessThan(70_000);
    expect(text).toMatch(/^0123456789\n/);
    expect(text).toContain('50000000 bytes in all');
  });
});
