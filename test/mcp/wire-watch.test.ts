import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { WireWatch } from '../../src/mcp/wire-watch.js';

const jsonrpc = '2.0' as const;
const request = (id: number, method: string): JSONRPCMessage => ({ jsonrpc, id, method });
const cancelled = (requestId: unknown) =>
  ({ jsonrpc, method: 'notifications/cancelled', params: { requestId } }) as JSONRPCMessage;

/** Whether the watch takes the client's requests for answered within a few turns of the event loop. */
async function isAnswered(watch: WireWatch): Promise<boolean> {
  const none = new Promise<false>((resolve) => setTimeout(resolve, 20, false));
  return await Promise.race([watch.whenAnswered(60_000).then(() => true), none]);
}

describe('WireWatch', () => {
  it('counts a request as answered by its result, its error or its cancellation, and by nothing else', async () => {
    const answers: JSONRPCMessage[] = [
      { jsonrpc, id: 1, result: {} },
      { jsonrpc, id: 1, error: { code: -32603, message: 'no' } },
    ];
    for (const answer of answers) {
      const watch = new WireWatch();
      watch.received(request(1, 'tools/list'));
      watch.sent({ jsonrpc, id: 2, result: {} });
      watch.received(cancelled({ id: 1 }));
      expect(await isAnswered(watch)).toBe(false);
      watch.sent(answer);
      expect(await isAnswered(watch)).toBe(true);
    }
    const watch = new WireWatch();
    watch.received(request(1, 'tools/list'));
    watch.received(cancelled(1));
    expect(await isAnswered(watch)).toBe(true);
  });

  it('resolves while somebody waits, when the last answer goes out', async () => {
    const watch = new WireWatch();
    watch.received(request(1, 'tools/list'));
    watch.received(request(2, 'resources/list'));
    const waiting = watch.whenAnswered(60_000);
    watch.sent({ jsonrpc, id: 2, result: {} });
    watch.sent({ jsonrpc, id: 1, result: {} });
    await waiting;
  });

  it('does not wait for calls and subscriptions, which the end of stdin ends, nor longer than it is told', async () => {
    const watch = new WireWatch();
    watch.received(request(1, 'tools/call'));
    watch.received(request(2, 'subscriptions/listen'));
    expect(await isAnswered(watch)).toBe(true);
    watch.received(request(3, 'tools/list'));
    await watch.whenAnswered(1);
  });

  it('tells of an acknowledged subscription and of every cancellation', () => {
    const watch = new WireWatch();
    const told: unknown[] = [];
    watch.onListenOpened = (id, granted) => told.push(['opened', id, granted]);
    watch.onCancelled = (id) => told.push(['cancelled', id]);
    watch.sent({
      jsonrpc,
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { 'io.modelcontextprotocol/subscriptionId': 'x' } },
    });
    watch.received(cancelled('x'));
    watch.received(cancelled(null));
    expect(told).toEqual([
      ['opened', 'x', { toolsListChanged: true }],
      ['cancelled', 'x'],
    ]);
  });
});
