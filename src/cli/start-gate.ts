import type { Generation } from '../projection/generation.js';
import type { Service } from '../service.js';
import { untilAborted } from '../store/query/until-aborted.js';

export interface StartGate {
  /** The service as clients may see it: without a generation until the gate is open. */
  readonly service: Service;
  open(): void;
}

/**
 * Clients are connected before the first generation, so that the handshake need not wait for it. This keeps that generation
 * from them until it is known that the service starts at all: one that is refused must not have listed anything.
 */
export function holdBack(service: Service): StartGate {
  let isOpen = false;
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true;
      resolve();
    };
  });
  const ready: Promise<Generation> = service.ready.then((first) => opened.then(() => service.current ?? first));
  // Whoever waits for `service.ready` itself reports a failure.
  ready.catch(() => {});
  return {
    open: () => open(),
    service: {
      ready,
      get current() {
        return isOpen ? service.current : undefined;
      },
      get skills() {
        return service.skills;
      },
      get nodes() {
        return service.nodes;
      },
      get instances() {
        return service.instances;
      },
      get outputs() {
        return service.outputs;
      },
      get keepGoing() {
        return service.keepGoing;
      },
      subscribe: (listener) => service.subscribe(listener),
      subscribeCalls: (listener) => service.subscribeCalls(listener),
      subscribeProjections: (listener) => service.subscribeProjections(listener),
      recordedCalls: (query) => service.recordedCalls(query),
      absence: (name) => service.absence(name),
      call: (...call) => service.call(...call),
      refuse: (...call) => service.refuse(...call),
      lookAtHost: () => service.lookAtHost(),
      loadModules: () => service.loadModules(),
      examine: () => service.examine(),
      lookAgain: () => service.lookAgain(),
      status: () => service.status(),
      get degradations() {
        return service.degradations;
      },
      get load() {
        return service.load;
      },
      query: async (sparql, options) => {
        await untilAborted(ready, options?.signal);
        return service.query(sparql, options);
      },
      export: (options) => service.export(options),
      snapshot: async (signal) => {
        await untilAborted(ready, signal);
        return service.snapshot(signal);
      },
      close: () => service.close(),
    },
  };
}
