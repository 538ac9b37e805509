import { Counter, Histogram, Registry } from 'prom-client';
import type { Generation } from '../../../projection/generation.js';
import type { EndedCall, Service } from '../../../service.js';
import { processMetrics } from './process-metrics.js';
import { addGauges, type ConnectionCounts } from './service-gauges.js';

export type MeasuredService = Pick<
  Service,
  'ready' | 'current' | 'status' | 'degradations' | 'load' | 'subscribe' | 'subscribeCalls' | 'subscribeProjections'
>;

/**
 * A name that the current generation does not serve: callers may send any, and those of internal tools are not told. No tool has this one: names of
 * tools begin with a letter.
 */
const otherTool = '_other';

/** Upper bounds in seconds. */
const projectionBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Counts what a service does, from its making until `close`, for Prometheus. */
export class ServiceMetrics {
  readonly #registry = new Registry();
  readonly #service: MeasuredService;
  readonly #calls: Counter<'tool' | 'outcome'>;
  readonly #callSeconds: Histogram<'outcome'>;
  readonly #ends: (() => void)[];
  /** By name, the outcomes that were counted. */
  readonly #counted = new Map<string, Set<EndedCall['outcome']>>();

  constructor(service: MeasuredService, connections: ConnectionCounts) {
    this.#service = service;
    const registers = [this.#registry];
    const generations = new Counter({
      name: 'toolgraph_generations_total',
      help: 'Generations that became current',
      registers,
    });
    const projected = new Histogram({
      name: 'toolgraph_projection_seconds',
      help: 'Time from taking what had changed in the folders to the generation of it',
      buckets: projectionBuckets,
      registers,
    });
    this.#calls = new Counter({
      name: 'toolgraph_calls_total',
      help: 'Calls that have ended, by tool and by outcome as it is recorded; "_other" is every name that is not served',
      labelNames: ['tool', 'outcome'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'toolgraph_call_seconds',
      help: 'Time from the coming of a call to its record, waiting for its turn included, by outcome',
      labelNames: ['outcome'],
      buckets: callBuckets,
      registers,
    });
    addGauges(this.#registry, service, connections);
    // Clients may see the first one later than it was made, or this may be made later: nobody tells of it then.
    service.ready.then(
      () => generations.inc(),
      () => {},
    );
    this.#ends = [
      service.subscribe(({ generation, previous }) => {
        if (previous !== undefined) generations.inc();
        this.#forgetOthers(generation);
      }),
      service.subscribeProjections((ms) => projected.observe(ms / 1000)),
      service.subscribeCalls((call) => this.#count(call)),
    ];
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text exposition format, with the metrics of the process. */
  text(): Promise<string> {
    return Registry.merge([this.#registry, processMetrics()]).metrics();
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#registry.clear();
  }

  #count({ name, outcome, ms }: EndedCall): void {
    const tool = this.#service.current?.entries.has(name) === true ? name : otherTool;
    this.#calls.inc({ tool, outcome });
    this.#callSeconds.observe({ outcome }, ms / 1000);
    this.#counted.set(tool, (this.#counted.get(tool) ?? new Set()).add(outcome));
  }

  /** What is not served any more has no counts: so there are never more names than tools, and none of one that is internal now. */
  #forgetOthers({ entries }: Generation): void {
    for (const [tool, outcomes] of this.#counted) {
      if (tool === otherTool || entries.has(tool)) continue;
      for (const outcome of outcomes) this.#calls.remove({ tool, outcome });
      this.#counted.delete(tool);
    }
  }
}
