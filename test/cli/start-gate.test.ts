import { describe, expect, it } from 'vitest';
import { holdBack } from '../../src/cli/start-gate.js';
import type { Generation } from '../../src/projection/generation.js';
import type { Service } from '../../src/service.js';
import { entry, generation } from './generation-builder.js';

/** Only what the gate decides on; the calls that it passes on are driven end to end. */
function serviceWith(ready: Promise<Generation>, current: () => Generation | undefined): Service {
  const unused = (): never => {
    throw new Error('the gate asked for more than it should');
  };
  return {
    ready,
    get current() {
      return current();
    },
    skills: [],
    nodes: [],
    instances: [],
    outputs: { list: unused, read: unused },
    keepGoing: false,
    examine: unused,
    lookAtHost: unused,
    loadModules: unused,
    lookAgain: unused,
    subscribe: unused,
    subscribeCalls: unused,
    subscribeProjections: unused,
    degradations: [],
    get load() {
      return unused();
    },
    recordedCalls: unused,
    absence: unused,
    call: unused,
    refuse: unused,
    status: unused,
    query: unused,
    export: unused,
    snapshot: unused,
    close: unused,
  };
}

const first = generation([entry('a')]);
const second = generation([entry('b')], [], [], 5);

describe('holdBack', () => {
  it('keeps the first generation from clients until it is opened', async () => {
    const gate = holdBack(serviceWith(Promise.resolve(first), () => first));
    let seen: Generation | undefined;
    void gate.service.ready.then((current) => {
      seen = current;
    });
    await new Promise(setImmediate);
    expect(seen).toBeUndefined();
    expect(gate.service.current).toBeUndefined();
    gate.open();
    expect(gate.service.current).toBe(first);
    await new Promise(setImmediate);
    expect(seen).toBe(first);
  });

  it('gives the generation that is current when it is opened', async () => {
    const gate = holdBack(serviceWith(Promise.resolve(first), () => second));
    gate.open();
    expect(await gate.service.ready).toBe(second);
  });

  it('answers no query, and gives no snapshot, before it is opened', async () => {
    const asked: string[] = [];
    const service = Object.assign(
      serviceWith(Promise.resolve(first), () => first),
      { query: async () => asked.push('query') as never, snapshot: async () => asked.push('snapshot') as never },
    );
    const gate = holdBack(service);
    const given = new AbortController();
    const cancelled = gate.service.query('ASK {}', { signal: given.signal });
    const waiting = [gate.service.query('ASK {}'), gate.service.snapshot()];
    given.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(asked).toEqual([]);
    gate.open();
    await Promise.all(waiting);
    expect(asked).toEqual(['query', 'snapshot']);
  });

  it('passes a failure on, and does not need anybody to listen', async () => {
    const gate = holdBack(serviceWith(Promise.reject(new Error('no folder')), () => undefined));
    await new Promise(setImmediate);
    await expect(gate.service.ready).rejects.toThrow('no folder');
  });
});
