import { describe, expect, it, vi } from 'vitest';
import { ChangeNotifier } from '../../src/mcp/change-notifier.js';
import { ShownLists } from '../../src/mcp/shown-lists.js';
import { mostSubscriptions } from '../../src/mcp/watched-resources.js';
import { QueryError } from '../../src/store/query/query-error.js';
import { LiteralTerm } from '../../src/store/rdf-terms.js';
import { declaration, MemoryService } from './memory-service.js';
import { rows, servedView } from './resources/known-service.js';

const uri = 'toolgraph://view/v';
const views = [servedView({ id: 'v' })];
const answer = (text: string) => rows(['text'], [{ text: new LiteralTerm(text) }]);

function watched() {
  const service = new MemoryService();
  service.publish([declaration('a')], [], views);
  const sent: string[] = [];
  const notifier = new ChangeNotifier(service);
  notifier.attach({
    sendToolListChanged: async () => void sent.push('list'),
    sendResourceListChanged: async () => void sent.push('resources'),
    sendResourceUpdated: async (params) => void sent.push(params.uri),
  });
  let asked = 0;
  let says = 'one';
  service.onQuery = async () => {
    asked += 1;
    return answer(says);
  };
  const publish = (text: string) => {
    says = text;
    service.publish([declaration('a')], [], views);
  };
  return { service, notifier, sent, publish, asked: () => asked };
}

describe('A view that a client is subscribed to', () => {
  it('is told of when its answer differs, and only then', async () => {
    const { notifier, sent, publish } = watched();
    notifier.listenOpened(1, { resourceSubscriptions: [uri] });
    await notifier.settled();
    for (const text of ['one', 'two', 'two', 'one']) {
      publish(text);
      await notifier.settled();
    }
    expect(sent).toEqual([uri, uri]);
    notifier.listenClosed(1);
    publish('three');
    await notifier.settled();
    expect(sent).toEqual([uri, uri]);
    notifier.close();
  });

  it('is told of when the client can be reached again, if its answer differs from the one that the client knows', async () => {
    const { notifier, sent, publish } = watched();
    notifier.subscribed(uri, 'no answer yet');
    publish('one');
    await notifier.settled();
    expect(sent).toEqual([uri]);
    for (const [whileAway, told] of [
      [['two', 'one'], 1],
      [['one', 'two'], 2],
    ] as const) {
      notifier.unreachable();
      for (const text of whileAway) publish(text);
      await notifier.settled();
      notifier.reachable();
      await notifier.settled();
      expect(sent).toHaveLength(told);
    }
    notifier.close();
  });

  it('is asked for once, however many clients are subscribed to it, and each is told', async () => {
    const { service, publish, asked } = watched();
    const shown = new ShownLists(service);
    const told: number[] = [];
    const crowd = Array.from({ length: 200 }, (_, n) => {
      const notifier = new ChangeNotifier(service, shown);
      notifier.attach({
        sendToolListChanged: async () => {},
        sendResourceListChanged: async () => {},
        sendResourceUpdated: async () => void told.push(n),
      });
      notifier.listenOpened(n, { resourceSubscriptions: [uri] });
      return notifier;
    });
    const settled = () => Promise.all(crowd.map((notifier) => notifier.settled()));
    await settled();
    const before = asked();
    publish('two');
    await settled();
    expect([asked() - before, new Set(told).size, told.length]).toEqual([1, 200, 200]);
    for (const notifier of crowd) notifier.close();
  });

  it('is told of when the client goes away while it is read, and comes back', async () => {
    const { service, notifier, sent, publish } = watched();
    notifier.listenOpened(1, { resourceSubscriptions: [uri] });
    await notifier.settled();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.onQuery = async () => {
      await gate;
      return answer('two');
    };
    publish('two');
    notifier.unreachable();
    release();
    await notifier.settled();
    expect(sent).toEqual([]);
    notifier.reachable();
    await notifier.settled();
    expect(sent).toEqual([uri]);
    notifier.close();
  });

  it('is told of when it may have changed while it was read for the first time', async () => {
    const { service, notifier, sent, publish } = watched();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.onQuery = async () => {
      await gate;
      return answer('two');
    };
    notifier.listenOpened(1, { resourceSubscriptions: [uri] });
    publish('two');
    release();
    await notifier.settled();
    expect(sent).toEqual([uri]);
    notifier.close();
  });

  it('is asked once for all generations that come while it is being read', async () => {
    const { notifier, publish, asked } = watched();
    notifier.subscribed(uri, 'what the client has read');
    for (let n = 0; n < 20; n++) publish(`text ${n}`);
    await notifier.settled();
    expect(asked()).toBe(2);
    notifier.close();
  });

  it('is read again when documents changed that make no other generation', async () => {
    const { service, notifier, sent } = watched();
    notifier.listenOpened(1, { resourceSubscriptions: [uri] });
    await notifier.settled();
    service.onQuery = async () => answer('two');
    service.project();
    await vi.waitFor(() => expect(sent).toEqual([uri]), { timeout: 20_000 });
    notifier.close();
  });

  it('stays what it was while it cannot be read', async () => {
    const { service, notifier, sent, publish } = watched();
    notifier.listenOpened(1, { resourceSubscriptions: [uri] });
    await notifier.settled();
    const { onQuery } = service;
    service.onQuery = () => Promise.reject(new Error('busy'));
    publish('one');
    await notifier.settled();
    service.onQuery = onQuery;
    publish('one');
    await notifier.settled();
    expect(sent).toEqual([]);
    notifier.close();
  });

  it('is read again when others were asked for before it', async () => {
    const { service, notifier, sent, publish } = watched();
    notifier.listenOpened(1, { resourceSubscriptions: [uri] });
    await notifier.settled();
    const { onQuery } = service;
    let failed = 0;
    service.onQuery = () => {
      failed += 1;
      return Promise.reject(new QueryError('busy', 'too many queries wait'));
    };
    publish('two');
    await notifier.settled();
    expect([failed, sent]).toEqual([1, []]);
    service.onQuery = onQuery;
    await vi.waitFor(() => expect(sent).toEqual([uri]), { timeout: 20_000 });
    notifier.close();
  });

  it('is one of so many at most', () => {
    const { notifier } = watched();
    for (let n = 0; n < mostSubscriptions; n++) expect(notifier.subscribed(`${uri}?x=${n}`, '')).toBe(true);
    expect(notifier.subscribed(`${uri}?x=more`, '')).toBe(false);
    expect(notifier.subscribed(`${uri}?x=0`, '')).toBe(true);
    notifier.close();
  });
});

it('The list of resources is told of when a view comes or goes, and not when one only answers otherwise', async () => {
  const { service, notifier, sent, publish } = watched();
  notifier.clientInitialized();
  publish('two');
  expect(sent).toEqual([]);
  service.publish([declaration('a')], [], [...views, servedView({ id: 'w' })]);
  service.publish([declaration('a')], [], [...views, servedView({ id: 'w' })]);
  expect(sent).toEqual(['resources']);
  notifier.close();
});
