import { engineCommands } from '../../schemas/engine.js';
import type { Tool } from '../../schemas/tool.js';
import type { ArmKind, BindRequest } from './arm.js';
import type { ContainerBinding, Mount, Unfitness } from './generation.js';
import { stdoutOutputs } from './output-schema.js';
import { processSlots } from './process-slots.js';
import { splitWords } from './words.js';

type StatedMounts = Exclude<NonNullable<Tool['invoke']['container']>, string>['mounts'];

/** A command with argv in a container (P9). */
export const containerArm: ArmKind = {
  reaches: ({ arg }) => arg !== undefined,
  bind(request) {
    const bound = bindContainer(request);
    if ('code' in bound) return bound;
    return {
      on({ engines }) {
        const engine = engineCommands.find((command) => engines.get(command) === true);
        if (engine !== undefined) return { ...bound, engine };
        const reason =
          'it runs in a container, and no engine answers: podman or docker, or the one that the config names';
        return { code: 'no-container-engine', reason };
      },
    };
  },
  ask(_tool, { engines }) {
    for (const engine of engineCommands) engines.add(engine);
  },
};

function bindContainer({ tool, ports, verdicts }: BindRequest): Omit<ContainerBinding, 'engine'> | Unfitness {
  const { container } = tool.invoke;
  if (container === undefined) throw new Error(`${tool.id} has no arm container`);
  const { image, command = [], network, mounts } = typeof container === 'string' ? { image: container } : container;
  const split = typeof command === 'string' ? splitWords(command) : { words: command };
  if ('syntax' in split) {
    return {
      code: 'shell-syntax',
      reason: `its container command has ${split.syntax} and would need a shell; none is ever started`,
    };
  }
  const { words } = split;
  const bound = processSlots(words, { ports, verdicts });
  if ('code' in bound) return bound;
  const outputs = stdoutOutputs(tool.io.outputs);
  return {
    arm: 'container',
    words: [image, ...words],
    slots: bound.slots,
    network: tool.requires?.network === true && network !== false,
    mounts: mountsOf(mounts),
    ...(outputs === undefined ? {} : { outputs }),
  };
}

/** Text is `source:/target`, with `:rw` where it may be written; without a target it is the source, from `/`. */
function mountsOf(stated: StatedMounts = []): Mount[] {
  return stated.map((mount) => {
    if (typeof mount !== 'string') return { ...mount, readOnly: mount.readOnly ?? true };
    const [source = '', target, mode] = mount.split(':');
    return { source, target: target ?? `/${source.replace(/^(?:\.\/+)+/, '')}`, readOnly: mode !== 'rw' };
  });
}
