import { describe, expect, it } from 'vitest';
import { toolName } from '../../src/projection/name.js';
import { exportIri, harnessExport, harnessTool } from '../ingest/harness-export.js';
import { makeInstance, startServer } from './harness.js';
import { nodePath, toolNode } from './instance.js';
import { eras, type Session } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;
const confirmation = 'Requires confirmation: ask the user first, then call with user_confirmed: true. ';

async function described(session: Session): Promise<Record<string, string>> {
  return Object.fromEntries((await session.list()).tools.map(({ name, description }) => [name, description]));
}

describe.each(eras)('in the era %s, with one notification for each save', (era) => {
  /** A server with one tool that stays and one, `x`, that the test saves with other fields. */
  async function started(args: readonly string[], fields: Record<string, unknown>) {
    const instance = await makeInstance([toolNode('stays'), toolNode('x', fields)]);
    const session = await startServer(instance, { args }).open(era);
    await session.list();
    const save = async (next: Record<string, unknown>) => {
      await instance.write(nodePath('x'), toolNode('x', next));
      await session.listChanged();
    };
    /** To be asked at the end: a second notification for any of the saves is left over then. */
    const leftNotifications = () => session.listChangesDuring(settleMs);
    return { session, save, leftNotifications };
  }

  it('P15: a tool graduates, is deprecated, and comes back', async () => {
    const { session, save, leftNotifications } = await started([], { tier: 'experimental' });
    expect(await session.names()).toEqual(['stays']);
    expect((await session.call('x')).refusal).toMatchObject({ code: 'tool_unavailable' });

    await save({ tier: 'stable' });
    expect(await described(session)).toEqual({ stays: 'Does stays', x: 'Does x' });
    expect((await session.call('x')).text).toBe('x\n');

    await save({ tier: 'deprecated', deprecated: { reason: 'use stays', replacedBy: 'stays' } });
    expect(await session.names()).toEqual(['stays']);
    expect((await session.call('x')).refusal).toMatchObject({
      code: 'tool_unavailable',
      message: expect.stringContaining('its tier is deprecated, which is not served'),
    });

    await save({});
    expect((await session.call('x')).text).toBe('x\n');
    expect(await leftNotifications()).toBe(0);
  });

  it('P15, P13: the banners of a tool that is served come, change and go', async () => {
    const { session, save, leftNotifications } = await started(['--tiers', 'stable,deprecated'], {});
    await save({ tier: 'deprecated' });
    expect(await described(session)).toEqual({ stays: 'Does stays', x: '[DEPRECATED] Does x' });
    await save({ tier: 'deprecated', deprecated: { reason: 'use stays' } });
    expect((await described(session)).x).toBe('[DEPRECATED — use stays] Does x');
    await save({ tier: 'deprecated', deprecated: { reason: 'use stays' }, requiresConfirmation: true });
    expect((await described(session)).x).toBe(`[DEPRECATED — use stays] ${confirmation}Does x`);
    await save({});
    expect((await described(session)).x).toBe('Does x');
    expect(await leftNotifications()).toBe(0);
  });

  it('P13: a tool becomes gated and is refused unconfirmed, then is open again', async () => {
    const { session, save, leftNotifications } = await started([], {});
    expect((await session.call('x')).text).toBe('x\n');
    await save({ requiresConfirmation: true });
    const gated = (await session.list()).tools[1];
    expect(gated?.description).toBe(`${confirmation}Does x`);
    expect(JSON.stringify(gated?.inputSchema)).toBe(
      '{"type":"object","properties":{"user_confirmed":{"type":"boolean","const":true}},"required":["user_confirmed"],"additionalProperties":false}',
    );
    for (const args of [{}, { user_confirmed: false }, { user_confirmed: 'true' }, { other: 1 }]) {
      expect((await session.call('x', args)).refusal).toMatchObject({ code: 'confirmation_required' });
    }
    expect((await session.call('x', { user_confirmed: true })).text).toBe('x\n');
    await save({});
    expect((await session.call('x', { user_confirmed: true })).refusal).toMatchObject({ code: 'invalid_params' });
    expect((await session.call('x')).text).toBe('x\n');
    expect(await leftNotifications()).toBe(0);
  });

  it('P14: hints come and go with what the node states', async () => {
    const { session, save, leftNotifications } = await started([], {});
    expect((await session.list()).tools[1]).not.toHaveProperty('annotations');
    await save({ type: 'write', openWorld: true });
    expect((await session.list()).tools[1]?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      openWorldHint: true,
    });
    await save({ effect: 'destructive' });
    expect((await session.list()).tools[1]?.annotations).toEqual({ destructiveHint: true });
    expect(await leftNotifications()).toBe(0);
  });

  it('P15: a tool becomes internal and is as unknown as one that never was, whatever tiers are asked for', async () => {
    const { session, save, leftNotifications } = await started(['--tiers', 'stable,experimental,deprecated'], {});
    expect((await session.call('x')).text).toBe('x\n');
    await save({ tier: 'internal' });
    expect(await session.names()).toEqual(['stays']);
    const unknown = async (name: string) => (await session.request('tools/call', { name, arguments: {} })).error;
    expect(await unknown('x')).toEqual({ code: -32602, message: 'Unknown tool: x', data: { code: 'unknown_tool' } });
    expect(await unknown('never')).toMatchObject({ code: -32602, data: { code: 'unknown_tool' } });
    await save({ tier: 'experimental' });
    expect((await session.call('x')).text).toBe('x\n');
    expect(await leftNotifications()).toBe(0);
  });
});

it('P15: no option makes the tier internal one that can be asked for', async () => {
  const instance = await makeInstance([toolNode('x')]);
  const server = startServer(instance, { args: ['--tiers', 'stable,internal'] });
  expect(await server.exited).toMatchObject({ code: 2 });
  expect(server.stderrText).toContain('internal');
});

it('P1, cases P7 and P8: ids of a foreign graph in any script have legal names, and each is the tool that it says', async () => {
  const long = 'x'.repeat(200);
  const ids = ['überprüfe', '工具', '7zip', 'constructor', '__proto__', 'toString', `${long}.a`, `${long}.b`];
  const collide = ['a.b', 'a b'];
  const instance = await makeInstance();
  const nodes = [...ids, ...collide].map((id, i) => {
    // Its own place of the list is what it prints.
    const { '@type': _, ...plain } = toolNode(id, { invoke: { shell: `echo ${i}` } });
    return harnessTool(plain);
  });
  await instance.write('exports/harness.jsonld', harnessExport(...nodes));
  await instance.config({ allowIris: [exportIri], folders: [{ path: 'exports', kind: 'export' }] });
  const session = await startServer(instance, { args: ['--keep-going'] }).open('2025-11-25');
  expect(await session.names()).toEqual(ids.map((id) => toolName(id)).sort());
  for (const [i, id] of ids.entries()) expect((await session.call(toolName(id))).text).toBe(`${i}\n`);
  for (const name of await session.names()) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
  const { problems } = await session.read('toolgraph://problems');
  expect((problems as { code: string; message: string }[]).map(({ code, message }) => [code, message])).toEqual([
    ['name-collision', expect.stringContaining('"a.b"')],
    ['name-collision', expect.stringContaining('"a b"')],
  ]);
});
