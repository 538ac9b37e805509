import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { problem } from '../../src/diagnostic.js';
import { ChangeNotifier } from '../../src/mcp/change-notifier.js';
import { ShownLists } from '../../src/mcp/shown-lists.js';
import { declaration, MemoryService } from './memory-service.js';

function notifierOf(service: MemoryService) {
  const sent: string[] = [];
  const notifier = new ChangeNotifier(service);
  notifier.attach({
    sendToolListChanged: async () => void sent.push('list'),
    sendResourceListChanged: async () => void sent.push('resources'),
    sendResourceUpdated: async ({ uri }) => void sent.push(uri),
  });
  return { notifier, sent };
}

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ publish: fc.constantFrom('a', 'b', 'c') }) },
    { weight: 3, arbitrary: fc.constant('list' as const) },
    { weight: 1, arbitrary: fc.constant('initialized' as const) },
    { weight: 2, arbitrary: fc.constantFrom('reachable' as const, 'unreachable' as const) },
    { weight: 2, arbitrary: fc.constant('listen' as const) },
    { weight: 2, arbitrary: fc.constant('cancel' as const) },
  ),
  { maxLength: 40 },
);

describe('ChangeNotifier', () => {
  it('never leaves a client that may be told with a stale list untold, and never tells it twice of one list', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const service = new MemoryService([declaration('start')]);
        const { notifier, sent } = notifierOf(service);
        let mayBeTold = false;
        let isReachable = true;
        const subscriptions: number[] = [];
        /** Digest that a client which lists again whenever it is told has in hand. */
        let inHand = service.current?.listDigest;
        for (const [n, step] of script.entries()) {
          const before = sent.length;
          if (step === 'list' && service.current !== undefined) {
            notifier.listed(service.current);
            inHand = service.current.listDigest;
          } else if (step === 'initialized') {
            mayBeTold = true;
            notifier.clientInitialized();
          } else if (step === 'reachable' || step === 'unreachable') {
            isReachable = step === 'reachable';
            notifier[step]();
          } else if (step === 'listen') {
            subscriptions.push(n);
            notifier.listenOpened(n, { toolsListChanged: true });
          } else if (step === 'cancel') {
            notifier.listenClosed(subscriptions.shift() ?? -1);
          } else if (typeof step === 'object') {
            service.publish([declaration(step.publish)]);
          }
          const stale = inHand !== service.current?.listDigest;
          const told = sent.length - before;
          expect(told).toBe(stale && isReachable && (mayBeTold || subscriptions.length > 0) ? 1 : 0);
          if (told > 0) inHand = service.current?.listDigest;
        }
      }),
    );
  });

  it('tells of a resource only while somebody is subscribed to it, and not of a URI that does not exist', () => {
    const service = new MemoryService([declaration('a')]);
    const { notifier, sent } = notifierOf(service);
    const uri = 'toolgraph://problems';
    const publish = (n: number) => service.publish([declaration('a')], [problem('unreadable', `problem ${n}`)]);
    notifier.subscribed('toolgraph://nothing');
    publish(1);
    notifier.subscribed(uri);
    notifier.listenOpened(7, { resourceSubscriptions: [uri] });
    publish(2);
    notifier.unsubscribed(uri);
    publish(3);
    notifier.listenClosed(7);
    publish(4);
    expect(sent).toEqual([uri, uri]);
  });

  it('tells a client that can be reached again of a text that differs from what it knows, and of none that is as it was', () => {
    const service = new MemoryService([declaration('a')]);
    const { notifier, sent } = notifierOf(service);
    const publish = (...words: string[]) =>
      service.publish(
        [declaration('a')],
        words.map((word) => problem('unreadable', word)),
      );
    notifier.subscribed('toolgraph://problems');
    for (const [whileAway, told] of [
      [[['one']], 1],
      [[['two'], ['one']], 1],
      [[['two'], []], 2],
    ] as const) {
      notifier.unreachable();
      for (const words of whileAway) publish(...words);
      notifier.reachable();
      expect(sent).toHaveLength(told);
    }
  });

  it('shares with others what it compares: the lists are made once for all of them', () => {
    const service = new MemoryService([declaration('a')]);
    const status = vi.spyOn(service, 'status');
    const shown = new ShownLists(service);
    const crowd = Array.from({ length: 100 }, () => new ChangeNotifier(service, shown));
    for (const notifier of crowd) notifier.listenOpened(1, { resourcesListChanged: true });
    status.mockClear();
    service.publish([declaration('b')]);
    expect(status).toHaveBeenCalledTimes(1);
    for (const notifier of crowd) notifier.close();
  });

  it('is silent after close, and has left the service', () => {
    const service = new MemoryService([declaration('a')]);
    const { notifier, sent } = notifierOf(service);
    notifier.clientInitialized();
    notifier.close();
    service.publish([declaration('b')]);
    expect(sent).toEqual([]);
    expect(service.listenerCount).toBe(0);
  });

  it('takes the first generation for what the client knows, even when it never hears of it as a change', async () => {
    const service = new MemoryService();
    const { notifier, sent } = notifierOf(service);
    notifier.subscribed('toolgraph://tools');
    service.publish([declaration('a')]);
    await service.ready;
    notifier.clientInitialized();
    expect(sent).toEqual([]);
    service.publish([declaration('b')]);
    expect(sent).toEqual(['list', 'toolgraph://tools']);
  });
});
