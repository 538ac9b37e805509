import type { EngineCommand } from '../schemas/engine.js';
import { endContainerLeftovers } from './invocation/container-leftovers.js';
import type { MemberInstance } from './member-instance.js';
import type { ServiceOptions } from './service.js';

type Swept = Pick<MemberInstance, 'place' | 'config'>;

/** Removes what containers earlier servers left behind, once for each instance and engine. */
export class LeftContainers {
  readonly #options: Pick<ServiceOptions, 'env' | 'onNotice'>;
  readonly #sweeps = new Map<string, Promise<void>>();

  constructor(options: Pick<ServiceOptions, 'env' | 'onNotice'>) {
    this.#options = options;
  }

  /** Never rejects: what fails is a notice. */
  sweep(member: Swept, engine: EngineCommand): Promise<void> {
    const key = `${engine} ${member.place.root}`;
    const sweep = this.#sweeps.get(key) ?? this.#sweepNow(member, engine);
    this.#sweeps.set(key, sweep);
    return sweep;
  }

  async #sweepNow({ place, config }: Swept, command: EngineCommand): Promise<void> {
    const { env = process.env, onNotice } = this.#options;
    const what = 'that earlier servers of this instance left behind';
    try {
      const engine = { command, flags: config.engine?.flags ?? [], env };
      const { removed, failure } = await endContainerLeftovers(engine, place.root);
      const containers = removed.length === 1 ? 'a container' : `${removed.length} containers`;
      if (removed.length > 0) onNotice?.(`removed ${containers} ${what}`);
      if (failure !== undefined) onNotice?.(`containers ${what} could not be removed: ${failure}`);
    } catch (error) {
      onNotice?.(`containers ${what} could not be looked for: ${String(error)}`);
    }
  }
}
