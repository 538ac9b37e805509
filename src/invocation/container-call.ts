import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isWithin, realPath } from '../instance/containment.js';
import type { ContainerBinding, Entry, Mount } from '../projection/generation.js';
import { buildArgv } from './argv.js';
import type { CallSettings } from './call-settings.js';
import { containerLabels, containerUser, isMountable, isPassedToContainers, runArguments } from './container-argv.js';
import { askEngine, type Engine, engineEnvironment, instanceLabel, removeContainers } from './container-engine.js';
import { engineFailure, imageFailure, withSignalNamed } from './container-failure.js';
import { childEnvironment } from './environment.js';
import type { CallOutcome } from './outcome.js';
import { processIdentity } from './process-identity.js';
import { outcomeOfEnd } from './process-outcome.js';
import { cancelledBeforeStart } from './refusal.js';
import { type ProcessEnd, run } from './run.js';
import { explainSpawnFailure } from './spawn-failure.js';

/** A Tool that runs as a command in a container. */
export type ContainerEntry = Entry & { readonly binding: ContainerBinding };

/** Runs the container arm (P9): argv, container, outcome. `args` satisfy the inputSchema. */
export async function callContainer(
  entry: ContainerEntry,
  args: Readonly<Record<string, unknown>>,
  settings: CallSettings,
): Promise<CallOutcome> {
  const argv = buildArgv(entry, args);
  if (argv.kind === 'refused') return argv;
  const { binding, tool } = entry;
  const [image, command] = binding.words;
  const engine: Engine = { command: binding.engine, flags: settings.engineFlags ?? [], env: settings.env };
  const mounts = realMounts(binding.mounts, settings.root ?? settings.cwd);
  if ('kind' in mounts) return mounts;
  const found = await lookAtImage(engine, image, settings.signal);
  if ('kind' in found) return found;
  if (command === undefined && found.entrypoint.length === 0 && argv.args.length > 0) {
    return failed(
      `The image ${image} has no entrypoint, so the first argument would name the program to run; state "command" in the node`,
    );
  }

  const callId = settings.callId ?? randomUUID();
  const name = `toolgraph-${callId}`;
  const variables = passedVariables(entry, settings);
  const timeoutMs = tool.limits?.timeoutMs ?? settings.timeoutMs;
  const outputBytes = tool.limits?.outputBytes ?? settings.outputBytes;
  const { overflow, signal, owner, observer, onProgress, daemons } = settings;
  const result = await run({
    file: engine.command,
    args: runArguments({
      binding,
      name,
      labels: await labelsOf(callId, settings),
      flags: engine.flags,
      user: containerUser(found.user, serviceUser()),
      mounts,
      variables,
      hasStdin: argv.stdin !== undefined,
      image,
      args: argv.args,
    }),
    ...(argv.stdin === undefined ? {} : { stdin: argv.stdin }),
    cwd: settings.cwd,
    env: engineEnvironment(engine, variables),
    timeoutMs,
    outputBytes,
    ...(signal === undefined ? {} : { signal }),
    ...(owner === undefined ? {} : { owner }),
    ...(daemons === undefined ? {} : { daemons }),
    ...(observer === undefined ? {} : { observer }),
    ...(overflow === undefined ? {} : { overflow }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  if (result.kind === 'cancelled') return cancelledBeforeStart;
  if (result.kind === 'not-started') {
    const start = { word: engine.command, file: engine.command, cwd: settings.cwd };
    return { kind: 'failed', ...(await explainSpawnFailure(result.errorCode, start)) };
  }
  const left = mayBeLeft(result) ? await removeContainers(engine, [name]) : undefined;
  const outcome =
    engineFailure({ engine: engine.command, image, command }, result) ??
    withSignalNamed(await outcomeOfEnd(entry, { timeoutMs, outputBytes }, result), result.exitCode);
  return left === undefined ? outcome : withLeftContainer(outcome, `${engine.command} rm --force ${name}`, left);
}

/** A container ends by itself and removes itself, unless its engine's process was ended first, or never came so far. */
function mayBeLeft({ stopReason, exitCode }: ProcessEnd): boolean {
  return stopReason !== undefined || exitCode === null || (exitCode >= 125 && exitCode <= 127);
}

function withLeftContainer(outcome: CallOutcome, remedy: string, said: string): CallOutcome {
  if (outcome.kind === 'ran') return outcome;
  const message = `${outcome.message}; its container may still be there (${said}); run: ${remedy}`;
  return { ...outcome, message };
}

const ImageConfigSchema = z.looseObject({
  User: z.string().nullish(),
  Entrypoint: z.union([z.string(), z.array(z.string())]).nullish(),
});

interface LocalImage {
  /** As the image states it: a name or a number, with a group after `:`; '' for root. */
  readonly user: string;
  readonly entrypoint: readonly string[];
}

/** What an image of this host says of itself. Asked at each call: a name may stand for another image since the last one. */
async function lookAtImage(
  engine: Engine,
  image: string,
  signal: AbortSignal | undefined,
): Promise<LocalImage | CallOutcome> {
  const asked = await askEngine(engine, ['image', 'inspect', '--format={{json .Config}}', image], signal);
  if (asked.kind === 'cancelled') return cancelledBeforeStart;
  if (asked.kind === 'not-started') {
    const start = { word: engine.command, file: engine.command, cwd: '/' };
    return { kind: 'failed', ...(await explainSpawnFailure(asked.errorCode, start)) };
  }
  if (asked.exitCode !== 0) return imageFailure(engine.command, image, asked);
  const config = parseImageConfig(asked.output.text);
  if (config === undefined) return failed(`${engine.command} says of the image ${image} what is not its configuration`);
  const { User, Entrypoint } = config;
  return { user: User ?? '', entrypoint: typeof Entrypoint === 'string' ? [Entrypoint] : (Entrypoint ?? []) };
}

function parseImageConfig(text: string): z.output<typeof ImageConfigSchema> | undefined {
  try {
    return ImageConfigSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Mounts with the real paths of their sources, which have to lie in the instance. */
function realMounts(mounts: readonly Mount[], root: string): readonly Mount[] | CallOutcome {
  const instance = realPath(root);
  const real: Mount[] = [];
  for (const mount of mounts) {
    const source = realPath(resolve(root, mount.source));
    if (source === undefined) return failed(`The mount ${mount.source} does not exist in the instance`);
    if (instance === undefined || !isWithin(instance, source)) {
      return failed(`The mount ${mount.source} leads outside the instance; copy what it leads to into the instance`);
    }
    if (!isMountable(source)) {
      return failed(
        `The mount ${mount.source} cannot be mounted: its real path holds a comma, a quote or a line break`,
      );
    }
    real.push({ ...mount, source });
  }
  return real;
}

/** Names of the variables that the container is given: those that are set. */
function passedVariables({ tool }: Entry, { env, permittedEnv }: CallSettings): string[] {
  const required = tool.requires?.env ?? [];
  const allowed = Object.keys(childEnvironment(env, required, permittedEnv));
  return allowed
    .filter((name) => isPassedToContainers(name) || (required.includes(name) && permittedEnv.includes(name)))
    .sort();
}

async function labelsOf(callId: string, { root, cwd }: CallSettings): Promise<Record<string, string>> {
  const { pid } = process;
  return {
    [containerLabels.instance]: instanceLabel(root ?? cwd),
    [containerLabels.server]: `${pid} ${(await processIdentity(pid)) ?? 'unknown'}`,
    [containerLabels.call]: callId,
  };
}

function serviceUser(): { uid: number; gid: number } | undefined {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function failed(message: string): CallOutcome {
  return { kind: 'failed', code: 'spawn_failed', message, details: {} };
}
