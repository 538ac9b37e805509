import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { toolName } from '../../src/projection/name.js';
import { makeInstance, startServer } from './harness.js';
import { toolNode } from './instance.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;
/** Its name has 64 characters without a prefix. */
const longId = `long-${'x'.repeat(59)}`;

it('P1: the prefix is before every name and within its 64 characters; another one renames all with one notification', async () => {
  const other = await makeInstance([toolNode('theirs'), toolNode(longId)]);
  const root = await makeInstance([toolNode('a'), toolNode('b-c'), toolNode(longId)]);
  const include = [{ path: `../${basename(other.root)}`, prefix: 'other' }];
  await root.config({ prefix: 'one', include });
  const session = await startServer(root).open('2025-11-25');
  const expected = (prefix: string) =>
    [`${prefix}_a`, `${prefix}_b_c`, toolName(longId, prefix), 'other_theirs', toolName(longId, 'other')].sort();
  expect(await session.names()).toEqual(expected('one'));
  for (const name of await session.names()) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
  expect(toolName(longId, 'one')).toMatch(/^one_long_x{46}_[0-9a-f]{8}$/);

  await root.config({ prefix: 'two', include });
  await session.listChanged();
  expect(await session.names()).toEqual(expected('two'));
  expect((await session.call('two_a')).text).toBe('a\n');
  expect((await session.call('one_a')).refusal).toMatchObject({ code: 'tool_removed' });
  expect(await session.listChangesDuring(settleMs)).toBe(0);

  await root.config({ prefix: 'two', include: [{ path: include[0]?.path }] });
  await session.listChanged();
  const unprefixed = [toolName(longId), 'theirs', ...expected('two').filter((name) => !name.startsWith('other'))];
  expect(await session.names()).toEqual(unprefixed.sort());
  expect(await session.listChangesDuring(settleMs)).toBe(0);
});
