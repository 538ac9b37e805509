import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SeededRandom } from '../../scripts/seeded-random.js';
import { callEntry } from '../../src/invocation/call.js';
import type { CallSettings } from '../../src/invocation/call-settings.js';
import type { Entry, Slot } from '../../src/projection/generation.js';
import { drawnSeed } from '../drawn-seed.js';
import { type Fate, fateOf, fuzzedParts, fuzzedSlots, isRepeated } from './fuzzed-slots.js';
import { hostileText } from './hostile-values.js';
import { ModuleFolder } from './module/module-folder.js';
import { callSettings, fixture, scratchFolder, shellEntry, textOf } from './shell-entry.js';

const probe = [process.execPath, fixture('argv-and-stdin.mjs')] as const;
const repeatedValues = 40;

/** Calls of one entry, each with other values, and a count of what became of these. */
class Fuzz {
  calls = 0;
  arrived = 0;
  refused = 0;
  /** Names of slots, each with what has become of a value in it. */
  readonly seen = new Set<string>();

  readonly #seed = drawnSeed;
  readonly #random = new SeededRandom(this.#seed);

  constructor(
    readonly entry: Entry,
    readonly settings: CallSettings,
  ) {}

  /** Until so many values have arrived. */
  async run(values: number): Promise<void> {
    try {
      while (this.arrived < values) await this.#round();
    } catch (error) {
      throw new Error(`with the seed ${this.#seed}`, { cause: error });
    }
  }

  /** One call with a value in every slot, and many in the repeated ones; each value that is to be refused is tried by itself. */
  async #round(): Promise<void> {
    const args: Record<string, unknown> = {};
    const words: string[] = [];
    let stdin = '';
    let values = 0;
    for (const fuzzed of fuzzedSlots) {
      const { slot } = fuzzed;
      const given: unknown[] = [];
      while (given.length < (isRepeated(slot) ? repeatedValues : 1)) {
        const value = fuzzed.value(this.#random);
        const fate = fateOf(fuzzed, value);
        this.seen.add(`${slot.name} ${typeof fate === 'string' ? fate : 'arrives'}`);
        if (typeof fate === 'string')
          await this.#expectRefusal(slot, isRepeated(slot) ? [...given, value] : value, fate);
        else {
          given.push(value);
          if (slot.kind === 'stdin') stdin = fate.join();
          else words.push(...fate);
        }
      }
      args[slot.name] = isRepeated(slot) ? given : given[0];
      values += given.length;
    }
    const outcome = await callEntry(this.entry, args, this.settings);
    this.calls += 1;
    this.arrived += values;
    const { argv, stdin: read } = JSON.parse(textOf(outcome)) as { argv: string[]; stdin: string };
    const at = words.findIndex((word, i) => argv[i] !== word);
    expect({ at, word: argv[at], count: argv.length, stdin: read }).toEqual({
      at: -1,
      word: words[at],
      count: words.length,
      stdin,
    });
  }

  async #expectRefusal(slot: Slot, value: unknown, code: Fate): Promise<void> {
    const before = fuzzedSlots.flatMap(({ slot: other }) => {
      const isBefore = slot.kind === 'positional' && other.kind === 'positional' && other.position < slot.position;
      return isBefore ? [[other.name, 'x'] as const] : [];
    });
    let started = false;
    const starting = async () => {
      started = true;
    };
    const observer = { starting, started: () => {}, ended: () => {} };
    const args = { ...Object.fromEntries(before), [slot.name]: value };
    const outcome = await callEntry(this.entry, args, { ...this.settings, observer });
    this.refused += 1;
    expect({ value, slot: slot.name, started, ...outcome }).toMatchObject({ kind: 'refused', code, started: false });
    expect(JSON.stringify(outcome)).toContain(slot.name);
  }
}

const settings = callSettings({ outputBytes: 8_000_000 });

it('X2: 10,000 hostile values arrive in every slot as they were sent; each other one is refused with the right code', async () => {
  const fuzz = new Fuzz(shellEntry({ words: probe, ...fuzzedParts }), settings);
  await fuzz.run(10_000);
  expect(fuzz.calls).toBeGreaterThan(25);
  expect(fuzz.refused).toBeGreaterThan(5_000);
  const kinds = ['place-0', 'flag-0', 'joined-0', 'repeated', 'repeated-joined', 'stdin', 'rest'];
  expect([...fuzz.seen]).toEqual(expect.arrayContaining(kinds.map((name) => `${name} arrives`)));
  const codes = [
    'repeated invalid_params',
    'repeated option_like_value',
    'rest invalid_params',
    'rest option_like_value',
  ];
  expect([...fuzz.seen]).toEqual(expect.arrayContaining(codes));
  expect([...fuzz.seen].join()).toContain('argument_too_large');
});

it('X2: hostile values arrive behind a container engine as they do without', async () => {
  const folder = await scratchFolder();
  const image = 'localhost/probe:1';
  const docker = `#!/bin/sh
case "$*" in "image inspect "*) echo '{"User":"","Entrypoint":null}'; exit 0;; esac
while [ "$1" != ${image} ]; do shift; done
shift
exec "$@"
`;
  await writeFile(join(folder, 'docker'), docker);
  await chmod(join(folder, 'docker'), 0o755);
  const entry: Entry = {
    ...shellEntry(fuzzedParts),
    binding: {
      arm: 'container',
      engine: 'docker',
      words: [image, ...probe],
      slots: fuzzedParts.slots,
      network: false,
      mounts: [],
    },
  };
  await new Fuzz(entry, { ...settings, env: { PATH: `${folder}:${process.env.PATH}` } }).run(2_000);
});

it('X2: hostile values reach a function as they were sent, NUL and half surrogate pairs too', async () => {
  const folder = await ModuleFolder.make({ 'a.mjs': 'export default ({ x }) => JSON.stringify(x);' });
  const entry: Entry = {
    ...shellEntry({ properties: { x: { type: 'array', items: { type: 'string' } } } }),
    binding: { arm: 'inProcess', module: 'a.mjs', exports: ['default'], names: ['probe-tool'] },
  };
  const random = new SeededRandom(1);
  const x = Array.from({ length: 5_000 }, () => hostileText(random));
  const outcome = await callEntry(entry, { x }, { ...settings, cwd: folder.root, modules: folder.pool });
  expect(JSON.parse(textOf(outcome))).toEqual(x);
});

it('X2: the fuzz sees words that a shell has split again', async () => {
  // Split and expanded, but not run: what is hostile here would do harm.
  const words = ['sh', '-c', `exec ${probe.join(' ')} $*`, 'sh'] as const;
  await expect(new Fuzz(shellEntry({ ...fuzzedParts, words }), settings).run(1)).rejects.toThrow('with the seed');
});
