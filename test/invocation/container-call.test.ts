import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callEntry } from '../../src/invocation/call.js';
import type { CallSettings } from '../../src/invocation/call-settings.js';
import { endContainerLeftovers } from '../../src/invocation/container-leftovers.js';
import { processIdentity } from '../../src/invocation/process-identity.js';
import type { ContainerBinding, Entry } from '../../src/projection/generation.js';
import { callSettings, scratchFolder, shellEntry } from './shell-entry.js';

// A real engine runs containers in test/container. Here is what it cannot show: exact words that no user sees, an engine other than the
// one that is installed, and one that fails when a container is to be removed.

const base = shellEntry({});

function containerEntry(binding: Partial<ContainerBinding>, tool: Partial<Entry['tool']> = {}): Entry {
  return {
    ...base,
    tool: { ...base.tool, ...tool },
    binding: { arm: 'container', engine: 'docker', words: ['x:1'], slots: [], network: false, mounts: [], ...binding },
  };
}

/** Settings under which docker is this shell script, which finds its arguments in $@ and the folder in $HERE. */
async function withDocker(
  script: string,
): Promise<{ folder: string; settings: CallSettings; words(): Promise<string[]> }> {
  const folder = await scratchFolder();
  await mkdir(join(folder, 'bin'));
  const file = join(folder, 'bin', 'docker');
  await writeFile(
    file,
    `#!/bin/sh\nHERE=${folder}\nfor word; do echo "$word" >> $HERE/words; done\necho >> $HERE/words\n${script}\n`,
  );
  await chmod(file, 0o755);
  const env = { PATH: `${folder}/bin:/usr/bin:/bin`, TOKEN: 's3cret', LANG: 'C', USER: 'me', DOCKER_HOST: 'unix:///x' };
  return {
    folder,
    settings: callSettings({ cwd: folder, root: folder, env, permittedEnv: ['TOKEN'], callId: 'call-1' }),
    words: async () => (await readFile(join(folder, 'words'), 'utf8')).split('\n'),
  };
}

const inspects = `case "$*" in *inspect*) echo '{"User":"","Entrypoint":null}'; exit 0;; esac`;

it('P9: docker is asked for the image, then runs it; a secret is in no argument', async () => {
  const { settings, words } = await withDocker(`${inspects}; echo "$TOKEN $DOCKER_HOST"`);
  const entry = containerEntry({ words: ['x:1', 'sync'] }, { requires: { env: ['TOKEN'] } });
  const flags = ['--context=a', '--memory=2g'];
  expect(await callEntry(entry, {}, { ...settings, engineFlags: flags })).toMatchObject({
    kind: 'ran',
    text: 's3cret unix:///x\n',
  });
  const all = (await words()).join('\n');
  expect(all).toMatch(
    /^--context=a\nimage\ninspect\n--format=\{\{json \.Config\}\}\nx:1\n\n--context=a\nrun\n--rm\n--name=toolgraph-call-1\n/,
  );
  expect(all).toMatch(/\n--env=LANG\n--env=TOKEN\n--memory=2g\nx:1\nsync\n\n$/);
  expect(all).toContain('\n--label=toolgraph.call=call-1\n');
  expect(all).toContain(`\n--label=toolgraph.server=${process.pid} ${await processIdentity(process.pid)}\n`);
  expect(all).not.toContain('s3cret');
});

it('X7: says what to do where a container cannot be removed', async () => {
  const { settings } = await withDocker(
    `${inspects}; [ "$1" = run ] && exec sleep 60; [ "$1" = rm ] && { echo 'Error: is busy' >&2; exit 1; }; exit 0`,
  );
  const entry = containerEntry({}, { limits: { timeoutMs: 100 } });
  expect(await callEntry(entry, {}, settings)).toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(
      /; its container may still be there \(Error: is busy\); run: docker rm --force toolgraph-call-1$/,
    ),
  });
});

it.each(['', 'nonsense', '[]', '{"User":7}'])('takes %j for no configuration of an image', async (text) => {
  const { settings } = await withDocker(`echo '${text}'`);
  expect(await callEntry(containerEntry({}), {}, settings)).toMatchObject({
    code: 'spawn_failed',
    message: 'docker says of the image x:1 what is not its configuration',
  });
});

it('tells of an engine that has gone since the tool was listed', async () => {
  const { settings } = await withDocker('exit 0');
  expect(
    await callEntry(containerEntry({ engine: 'podman' }), {}, { ...settings, env: { PATH: settings.cwd } }),
  ).toMatchObject({
    code: 'spawn_failed',
    message: 'The command podman was not found on PATH; install it',
  });
});

it('starts nothing for a mount that leads outside the instance', async () => {
  const { settings, folder, words } = await withDocker(inspects);
  await symlink('/etc', join(folder, 'link'));
  const mounts = [{ source: 'link', target: '/seen', readOnly: true }];
  expect(await callEntry(containerEntry({ mounts }), {}, settings)).toMatchObject({ code: 'spawn_failed' });
  await expect(words()).rejects.toThrow('ENOENT');
});

it('X7: removes what servers have left that are gone, and nothing of one that may live', async () => {
  const own = (await processIdentity(process.pid)) ?? '';
  const [boot, ...rest] = own.split(' ');
  const elsewhere = [boot, ...rest.map((part) => part.replace(/\d+/, '1'))].join(' ');
  const ids = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(12));
  const servers = [`${process.pid} ${own}`, `${process.pid} ${own}0`, `${process.pid} ${elsewhere}`, `no-number x`];
  const { folder, settings, words } = await withDocker(`
case "$1" in
  ps) printf '%s\\n' ${ids.join(' ')};;
  inspect) printf '%s\\n' ${ids.map((id, i) => `'${id} ${servers[i]}'`).join(' ')};;
esac`);
  const engine = { command: 'docker', flags: [], env: settings.env } as const;
  // A namespace of process ids is told of on Linux only.
  const left = process.platform === 'linux' ? [ids[1], ids[3]] : ids.slice(1);
  expect(await endContainerLeftovers(engine, folder)).toEqual({ removed: left });
  expect((await words()).join(' ')).toContain(` kill --signal=KILL ${left.join(' ')}  rm --force ${left.join(' ')} `);
});
