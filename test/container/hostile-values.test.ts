import { expect, inject, it } from 'vitest';
import { SeededRandom } from '../../scripts/seeded-random.js';
import { callEntry } from '../../src/invocation/call.js';
import type { Entry } from '../../src/projection/generation.js';
import { drawnSeed } from '../drawn-seed.js';
import { hostileText } from '../invocation/hostile-values.js';
import { callSettings, shellEntry, textOf } from '../invocation/shell-entry.js';
import { plainImage } from './engine-setup.js';

it('X2: 2,000 hostile values arrive in a container as they were sent', async () => {
  const { flags, containersConf } = inject('engine');
  const entry: Entry = {
    ...shellEntry({ properties: { x: { type: 'array', items: { type: 'string' } } } }),
    binding: {
      ...{ arm: 'container', engine: 'podman', words: [plainImage, 'printf', '%s\\0'], network: false, mounts: [] },
      slots: [{ name: 'x', kind: 'positional', position: 0, repeated: true }],
    },
  };
  const random = new SeededRandom(drawnSeed);
  const isCarried = (text: string) => !text.startsWith('-') && !/\0|\p{Surrogate}/u.test(text) && text.length < 1000;
  const x: string[] = [];
  while (x.length < 2_000) x.push(...[hostileText(random)].filter(isCarried));
  const settings = callSettings({ engineFlags: flags, env: { ...process.env, CONTAINERS_CONF: containersConf } });
  expect(textOf(await callEntry(entry, { x }, settings)).split('\0')).toEqual([...x, '']);
});
