import { type EngineCommand, partEngineFlags } from '../../schemas/engine.js';
import type { ContainerBinding, Mount } from '../projection/generation.js';

/** Labels of every container of toolgraph. */
export const containerLabels = {
  /** Which instance, as `instanceLabel` names it. */
  instance: 'toolgraph.instance',
  /** Process id and identity of the server that started it, with a space between. */
  server: 'toolgraph.server',
  /** Id of the call, as in its record. */
  call: 'toolgraph.call',
} as const;

/** What a container may use; a flag of the config comes after these, so that it holds. One processor is what every host has. */
const limitFlags = ['--memory=1g', '--cpus=1', '--pids-limit=256'];

/** As in most images, and in memory: the root is read-only. */
const scratchPath = '/tmp';
const scratchFlag = `--tmpfs=${scratchPath}:rw,noexec,nosuid,nodev,size=64m,mode=1777`;

/** Of nobody, in every Linux distribution; an image need not know the number. */
const unprivilegedUser = '65534:65534';

/** One run of a container, all of it known. */
export interface ContainerRun {
  readonly binding: Pick<ContainerBinding, 'engine' | 'network'>;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Flags of the config. */
  readonly flags: readonly string[];
  /** `user:group` to run as; undefined for that of the image. */
  readonly user: string | undefined;
  /** Sources are real paths. */
  readonly mounts: readonly Mount[];
  /** Names of variables that the engine takes from its own environment. */
  readonly variables: readonly string[];
  readonly hasStdin: boolean;
  readonly image: string;
  /** Command in the image, and its arguments. */
  readonly args: readonly string[];
}

/**
 * The arguments of the engine for one call (P9). Values of variables are not in it: every process of the host can read it. Nothing is
 * pulled, nothing is logged to a file that could fill a disk, and nothing is left when the container ends. Pure.
 */
export function runArguments({ binding, name, labels, flags, user, mounts, ...run }: ContainerRun): string[] {
  const parted = partEngineFlags(binding.engine, flags);
  const isScratchFree = mounts.every(({ target }) => target !== scratchPath);
  return [
    ...parted.global,
    ...['run', '--rm', `--name=${name}`],
    ...Object.entries(labels).map(([key, value]) => `--label=${key}=${value}`),
    ...['--pull=never', '--log-driver=none'],
    ...['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
    ...(binding.network ? [] : ['--network=none']),
    ...limitFlags,
    ...(isScratchFree ? [scratchFlag] : []),
    ...(user === undefined ? [] : [`--user=${user}`]),
    ...mounts.map(mountFlag),
    ...run.variables.map((variable) => `--env=${variable}`),
    ...(run.hasStdin ? ['--interactive'] : []),
    ...parted.run,
    run.image,
    ...run.args,
  ];
}

function mountFlag({ source, target, readOnly }: Mount): string {
  return `--mount=type=bind,source=${source},target=${target}${readOnly ? ',readonly' : ''}`;
}

/** Whether a real path can stand in a `--mount`, whose fields are parted by commas and quoted as in CSV. Pure. */
export function isMountable(path: string): boolean {
  return !/[,"\r\n]/.test(path);
}

/**
 * As whom to run: the user that the image states, where that is not root, else the service's own, who owns what is mounted, or nobody
 * where the service is root. Pure.
 */
export function containerUser(
  stated: string,
  service: { readonly uid: number; readonly gid: number } | undefined,
): string | undefined {
  const [user = ''] = stated.split(':');
  if (!['', 'root'].includes(user) && !/^0+$/.test(user)) return undefined;
  return service === undefined || service.uid === 0 ? unprivilegedUser : `${service.uid}:${service.gid}`;
}

/** Variables that mean in a container what they mean outside of it; HOME, PATH, TMPDIR and USER are those of the image. Pure. */
export function isPassedToContainers(name: string): boolean {
  return name === 'LANG' || name === 'TZ' || name.startsWith('LC_');
}

/** What to type to have an image. */
export function pullCommand(engine: EngineCommand, image: string): string {
  return `${engine} pull ${image}`;
}
