import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { servedTiers } from '../../schemas/config.js';
import { directoryArgument, tiersOption } from '../../src/cli/arguments.js';

const folder = mkdtempSync(join(tmpdir(), 'toolgraph-arguments-'));
const file = join(folder, 'a.json');
writeFileSync(file, '{}');

afterAll(() => rmSync(folder, { recursive: true }));

/** What a command with both would be given for these words. */
function parsed(...words: string[]): { root: string; tiers: unknown } {
  let root = '';
  const command = new Command()
    .addArgument(directoryArgument())
    .addOption(tiersOption())
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action((value) => {
      root = value;
    });
  command.parse(words, { from: 'user' });
  return { root, tiers: command.opts().tiers };
}

describe('directoryArgument', () => {
  it('is the current directory where none is given', () => {
    expect(parsed().root).toBe(process.cwd());
  });

  it('is made absolute', () => {
    expect(parsed('src').root).toBe(join(process.cwd(), 'src'));
    expect(parsed(folder).root).toBe(folder);
  });

  it('refuses what does not exist and what is no directory', () => {
    expect(() => parsed(join(folder, 'gone'))).toThrow(`DIR ${join(folder, 'gone')}: no such directory`);
    expect(() => parsed(file)).toThrow(`DIR ${file}: not a directory`);
  });
});

describe('tiersOption', () => {
  it('takes every tier that can be served, once', () => {
    expect(parsed('--tiers', servedTiers.join(',')).tiers).toEqual(servedTiers);
    expect(parsed('--tiers', 'stable, stable').tiers).toEqual(['stable']);
  });

  it('is left to the config where it is not given', () => {
    expect(parsed().tiers).toBeUndefined();
  });

  it('refuses internal, unknown tiers and an empty list', () => {
    expect(() => parsed('--tiers', 'stable,internal')).toThrow('internal are never served');
    expect(() => parsed('--tiers', 'beta')).toThrow('Expected a list of stable, experimental, deprecated.');
    expect(() => parsed('--tiers', '')).toThrow('Expected a list of');
  });
});
