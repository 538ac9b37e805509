/** How a program that runs code takes the code. Options are as they are written; a cluster of letters is matched by `cluster`. */
export interface Interpreter {
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** A cluster of one-letter options that ends in one whose value is code, as in `sh -ec`. */
  readonly cluster?: RegExp;
  /** Options whose value, in the word after them, is something else. */
  readonly values?: readonly string[];
  /** Options after which the program to run is named, and everything else is its arguments. */
  readonly ends?: readonly string[];
  /** First operands after which the next one is code, as in `deno eval`. */
  readonly subcommands?: readonly string[];
  /** What the first operand is: a file to run (left out), or code, as in `awk '{print}'`. */
  readonly operand?: 'code';
  /** It reads code from stdin when neither an option nor an operand gives any. */
  readonly stdin?: boolean;
  /** An option that makes it read code from stdin whatever the operands are. */
  readonly stdinOption?: string;
}

const shell: Interpreter = {
  code: ['-c', '--command'],
  cluster: /^-[A-Za-z]*c$/,
  values: ['-o', '+o', '-O', '+O', '--rcfile', '--init-file'],
  stdin: true,
  stdinOption: '-s',
};
const python: Interpreter = {
  code: ['-c'],
  cluster: /^-[bBdEhiIOPqsSuvx]+c$/,
  values: ['-W', '-X'],
  ends: ['-m'],
  stdin: true,
};
const node: Interpreter = {
  code: ['-e', '--eval', '-p', '--print', '-pe'],
  values: ['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--env-file'],
  stdin: true,
};
const awk: Interpreter = {
  code: ['-e', '--source'],
  values: ['-F', '-v', '--assign', '--field-separator'],
  ends: ['-f', '--file'],
  operand: 'code',
};

/** By the name of the program without a version: `python3.12` is `python`. */
export const interpreters: ReadonlyMap<string, Interpreter> = new Map([
  ...['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh', 'fish', 'csh', 'tcsh', 'su', 'runuser', 'script'].map(
    as(shell),
  ),
  ...['python', 'pythonw', 'pypy'].map(as(python)),
  ...['node', 'nodejs'].map(as(node)),
  ...['awk', 'gawk', 'mawk', 'nawk'].map(as(awk)),
  ['bun', { ...node, subcommands: ['eval', 'exec'], stdin: false }],
  ['deno', { code: ['-e', '--eval'], subcommands: ['eval'], stdin: true }],
  ['tsx', node],
  ['perl', { code: ['-e', '-E'], cluster: /^-[acilnpsStTuUwWX0]+[eE]$/, values: ['-I'], stdin: true }],
  ['ruby', { code: ['-e'], cluster: /^-[aclnpsSvwW]+e$/, values: ['-I', '-r', '-C', '-E'], stdin: true }],
  ['php', { code: ['-r', '--run', '-B', '-R', '-E'], values: ['-c', '-d', '-z'], ends: ['-f', '--file'], stdin: true }],
  ['lua', { code: ['-e'], values: ['-l'], stdin: true }],
  ['julia', { code: ['-e', '--eval', '-E', '--print'], values: ['-L', '-J'], stdin: true }],
  ['r', { code: ['-e'], ends: ['-f'], stdin: true }],
  ['rscript', { code: ['-e'] }],
  ['elixir', { code: ['-e', '--eval'], values: ['-r', '-pa', '-pz'] }],
  ['osascript', { code: ['-e'], values: ['-l', '-s'], stdin: true }],
  ['pwsh', { code: ['-c', '-Command', '-EncodedCommand', '-e', '-ec'], ends: ['-f', '-File'], stdin: true }],
  ['powershell', { code: ['-c', '-Command', '-EncodedCommand', '-e', '-ec'], ends: ['-f', '-File'], stdin: true }],
  ['sed', { code: ['-e', '--expression'], ends: ['-f', '--file'], operand: 'code' }],
  ['tclsh', { code: [], stdin: true }],
  ['emacs', { code: ['--eval', '--execute', '-eval'] }],
  ['vim', { code: ['-c', '--cmd', '-S'] }],
]);

/** A program that starts the program which its operands name. */
export interface Launcher {
  /** Options whose value is the word after them. */
  readonly values?: readonly string[];
  /** It is a launcher only with one of these as its first operand. */
  readonly subcommands?: readonly string[];
  /** Operands of its own before the program, as the duration of `timeout`; a subcommand is one. */
  readonly operands?: number;
  /** It runs its stdin, or makes arguments of it: `code` when it starts a shell for it, `arguments` when it appends them. */
  readonly stdin?: 'code' | 'arguments';
}

const containerExec: Launcher = {
  subcommands: ['exec'],
  values: ['-e', '--env', '-u', '--user', '-w', '--workdir', '--env-file'],
  operands: 2,
};

export const launchers: ReadonlyMap<string, Launcher> = new Map<string, Launcher>([
  ['env', { values: ['-u', '--unset', '-C', '--chdir', '-S', '--split-string'] }],
  ['sudo', { values: ['-u', '-g', '-p', '-C', '-h', '-r', '-t', '-U', '-D', '-R', '-T', '--user', '--group'] }],
  ['doas', { values: ['-u', '-C'] }],
  ['nice', { values: ['-n', '--adjustment'] }],
  ['ionice', { values: ['-c', '-n', '-p'] }],
  ['timeout', { values: ['-s', '--signal', '-k', '--kill-after'], operands: 1 }],
  ['chroot', { operands: 1 }],
  ['flock', { values: ['-w', '--timeout', '-E'], operands: 1 }],
  ['stdbuf', { values: ['-i', '-o', '-e'] }],
  ['strace', { values: ['-e', '-o', '-p', '-s', '-u'] }],
  ['time', { values: ['-f', '-o'] }],
  ['watch', { values: ['-n', '--interval'] }],
  ['xargs', { values: ['-I', '-n', '-P', '-L', '-d', '-E', '-s', '-a'], stdin: 'arguments' }],
  ['parallel', { values: ['-j', '--jobs', '-I', '-a', '-S'], stdin: 'code' }],
  [
    'ssh',
    { values: ['-i', '-p', '-l', '-o', '-F', '-J', '-L', '-R', '-D', '-W', '-b', '-c'], operands: 1, stdin: 'code' },
  ],
  ...['uv', 'poetry', 'pipenv'].map((name) => [name, { subcommands: ['run'], operands: 1 }] as const),
  ...['npm', 'pnpm', 'yarn'].map((name) => [name, { subcommands: ['exec', 'dlx', 'x'], operands: 1 }] as const),
  ...['docker', 'podman'].map((name) => [name, containerExec] as const),
  ...['nohup', 'setsid', 'command', 'busybox', 'unbuffer', 'npx', 'bunx', 'uvx', 'fakeroot', 'caffeinate'].map(
    (name) => [name, {}] as const,
  ),
]);

/** The name under which a program is known here: without folder, `.exe`, version and case. */
export function programName(word: string): string {
  const file = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  return file.replace(/\.exe$/, '').replace(/-?\d+(?:\.\d+)*$/, '');
}

function as(interpreter: Interpreter): (name: string) => readonly [string, Interpreter] {
  return (name) => [name, interpreter];
}
