import { containerLabels } from './container-argv.js';
import { askEngine, type Engine, instanceLabel, removeContainers } from './container-engine.js';
import { isGone } from './process-identity.js';

const identifier = /^[0-9a-f]{12,64}$/;

/** What became of the containers that servers of an instance left behind. */
export interface ContainerSweep {
  /** Ids of those that were removed. */
  readonly removed: readonly string[];
  /** What the engine says, when some may be left. */
  readonly failure?: string;
}

/**
 * Removes the containers of an instance whose servers have gone (X7). Those of a server that runs are left alone, and those of one of
 * which that cannot be known.
 */
export async function endContainerLeftovers(engine: Engine, root: string): Promise<ContainerSweep> {
  const label = `label=${containerLabels.instance}=${instanceLabel(root)}`;
  const listed = await askEngine(engine, ['ps', '--all', '--quiet', '--no-trunc', `--filter=${label}`]);
  if (listed.kind !== 'ended') return { removed: [] };
  const ids = listed.output.text.split('\n').filter((id) => identifier.test(id));
  if (ids.length === 0) return { removed: [] };
  const format = `{{.Id}} {{index .Config.Labels "${containerLabels.server}"}}`;
  // One that has gone meanwhile makes this fail, and the others are told nevertheless.
  const inspected = await askEngine(engine, ['inspect', '--type=container', `--format=${format}`, ...ids]);
  if (inspected.kind !== 'ended') return { removed: [] };
  const left: string[] = [];
  for (const line of inspected.output.text.split('\n')) {
    const [id = '', pid, ...identity] = line.split(' ');
    if (identifier.test(id) && (await isGone(Number(pid), identity.join(' ')))) left.push(id);
  }
  if (left.length === 0) return { removed: [] };
  const failure = await removeContainers(engine, left);
  return failure === undefined ? { removed: left } : { removed: [], failure };
}
