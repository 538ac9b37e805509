import { Gauge, type Registry } from 'prom-client';
import type { Service } from '../../../service.js';
import { countByCode } from './count-by-code.js';
import { healthOf } from './health.js';

/** Counts that only the HTTP edge knows. */
export interface ConnectionCounts {
  /** Sessions of revisions before 2026-07-28. */
  readonly sessions: () => number;
  /** Streams on which clients are told of changes. */
  readonly listeners: () => number;
}

type GaugedService = Pick<Service, 'current' | 'status' | 'degradations' | 'load'>;

/** What holds at the moment of asking. */
export function addGauges(registry: Registry, service: GaugedService, { sessions, listeners }: ConnectionCounts): void {
  const one = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name: `toolgraph_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  };
  const byLabel = (
    name: string,
    help: string,
    label: string,
    values: () => Iterable<readonly [string, number]>,
  ): void => {
    new Gauge({
      name: `toolgraph_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of values()) this.set({ [label]: value }, count);
      },
    });
  };
  one('sessions', 'Sessions that are open', sessions);
  one('listeners', 'Streams on which clients are told of changes', listeners);
  one('ready', '1 while there is a generation to serve', () => (service.current === undefined ? 0 : 1));
  one('degraded', '1 while /healthz gives a reason', () => (healthOf(service).status === 'degraded' ? 1 : 0));
  one('generation_number', 'Number of the current generation', () => service.current?.number ?? 0);
  byLabel('generation_info', '1, with the digest of the current generation', 'digest', () =>
    service.current === undefined ? [] : [[service.current.digest, 1]],
  );
  one('tools', 'Tools that are served', () => service.status().tools);
  one('views', 'Views that are served', () => service.status().views);
  one('documents', 'Documents in the graph', () => service.status().documents);
  byLabel('omissions', 'Tools that are not served, by reason', 'code', () =>
    countByCode(service.current?.omissions ?? []),
  );
  byLabel('problems', 'What could not be determined, by code', 'code', () =>
    countByCode(service.current?.problems ?? []),
  );
  one('calls_running', 'Calls that run', () => service.load.calls.running);
  one('calls_waiting', 'Calls that wait for their turn', () => service.load.calls.waiting);
  one('queries_running', 'Queries that run', () => service.load.queries.running);
  one('queries_waiting', 'Queries that wait for their turn', () => service.load.queries.waiting);
  one('query_thread', '1 while a thread holds the graph for queries', () =>
    service.load.queries.isThreadRunning ? 1 : 0,
  );
}
