import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeInstance } from '../e2e/harness.js';
import { toolNode } from '../e2e/instance.js';
import { run } from './cli-process.js';

describe('toolgraph reset', () => {
  it('drops the derived store and nothing else; the next read gives the same digest', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const before = JSON.parse((await run(['tools', instance.root, '--json'])).stdout);
    await instance.write('.toolgraph/records.db', 'records');
    expect(existsSync(instance.path('.toolgraph/graph.db'))).toBe(true);

    const { code, stdout, stderr } = await run(['reset', instance.root]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^toolgraph: removed graph\.db.* Records are kept\.\n$/);
    expect(existsSync(instance.path('.toolgraph/graph.db'))).toBe(false);
    expect(readFileSync(instance.path('.toolgraph/records.db'), 'utf8')).toBe('records');
    await instance.remove('.toolgraph/records.db');

    const after = JSON.parse((await run(['tools', instance.root, '--json'])).stdout);
    expect(after.digest).toBe(before.digest);
  });

  it('says so where there is nothing to drop', async () => {
    const { root } = await makeInstance([toolNode('a')]);
    const { code, stderr } = await run(['reset', root]);
    expect([code, stderr]).toEqual([0, 'toolgraph: there was no derived store to remove. Records are kept.\n']);
  });
});
