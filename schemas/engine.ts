import { z } from 'zod';

/** In the order in which they are asked; the first that answers is used. */
export const engineCommands = ['podman', 'docker'] as const;

export type EngineCommand = (typeof engineCommands)[number];

const FlagsSchema = z
  .array(z.string().min(1).max(4096))
  .max(100)
  .refine(([first]) => first?.startsWith('-') !== false, 'expected a flag first, such as "--userns=keep-id"')
  .refine((flags) => !flags.includes('--'), 'expected no "--": what comes after it would stand for the image');

/** How containers are run. */
export const EngineSchema = z.strictObject({
  command: z
    .enum(engineCommands)
    .optional()
    .meta({
      description: 'The one engine to use. Default: podman, or docker where only that answers',
      examples: ['podman'],
    }),
  flags: FlagsSchema.optional().meta({
    description:
      'Flags that the engine is given after those of toolgraph, so that they come before them: of "run", or of the engine ' +
      'itself, such as --root, which every command is given (docs/containers.md). Default: none',
    examples: [['--userns=keep-id', '--memory=2g']],
  }),
});

/**
 * Variables that the engine itself is given beside those that every tool is: where it keeps its containers and how it is reached. None
 * of them reaches a container.
 */
export const engineVariables: readonly string[] = [
  ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK'],
  ...['CONTAINERS_CONF', 'CONTAINERS_CONF_OVERRIDE', 'CONTAINERS_STORAGE_CONF', 'CONTAINERS_REGISTRIES_CONF'],
  ...['CONTAINER_HOST', 'CONTAINER_CONNECTION', 'CONTAINER_SSHKEY', 'STORAGE_DRIVER', 'STORAGE_OPTS'],
  ...['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY', 'DOCKER_API_VERSION'],
];

/** The long flags before a command, in `podman --help` (4.3 and 5) and `docker --help` (28). */
const globalFlags: Readonly<Record<EngineCommand, readonly string[]>> = {
  podman: [
    ...['--cgroup-manager', '--config', '--conmon', '--connection', '--events-backend', '--hooks-dir', '--identity'],
    ...['--imagestore', '--log-level', '--module', '--namespace', '--network-cmd-path', '--network-config-dir'],
    ...['--noout', '--out', '--remote', '--root', '--runroot', '--runtime', '--runtime-flag', '--ssh'],
    ...['--storage-driver', '--storage-opt', '--syslog', '--tmpdir', '--transient-store', '--url', '--volumepath'],
  ],
  docker: [
    ...['--config', '--context', '--debug', '--host', '--log-level', '--tls', '--tlscacert', '--tlscert', '--tlskey'],
    '--tlsverify',
  ],
};

/**
 * Parts flags into those of the engine itself, which stand before any command, and those of its command `run`. A word that does not
 * begin with `-` is the value of the flag before it. Pure.
 */
export function partEngineFlags(
  engine: EngineCommand,
  flags: readonly string[],
): { readonly global: readonly string[]; readonly run: readonly string[] } {
  const global: string[] = [];
  const run: string[] = [];
  let taking = run;
  for (const word of flags) {
    const [name = ''] = word.split('=', 1);
    if (word.startsWith('-')) taking = globalFlags[engine].includes(name) ? global : run;
    taking.push(word);
  }
  return { global, run };
}
