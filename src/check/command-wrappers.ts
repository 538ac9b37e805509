/** A program that runs another: where the other one stands among its arguments. */
export interface Wrapper {
  /** Options that take the next word. */
  readonly valued: ReadonlySet<string>;
  /** Options with code for a shell: their value, or for a shell the first word that is no option. */
  readonly code: ReadonlySet<string>;
  /** Options with the name of a module to run, which is judged like a program. */
  readonly module: ReadonlySet<string>;
  /** Options with which nothing is run. */
  readonly inert: ReadonlySet<string>;
  /** How many operands come before the command. */
  readonly operands: number;
  /** What the words after the options are: a command, the same read by a shell again, or nothing known. */
  readonly runs: 'words' | 'text' | 'nothing';
}

interface WrapperRow {
  readonly valued?: string;
  readonly code?: string;
  readonly module?: string;
  readonly inert?: string;
  readonly operands?: number;
  readonly runs?: Wrapper['runs'];
}

function set(words = ''): ReadonlySet<string> {
  return new Set(words.split(' ').filter(Boolean));
}

/** `names`: programs, each with its subcommand after a dot where only that one runs another. */
function rows(names: string, row: WrapperRow = {}): [string, Wrapper][] {
  const { valued, code, module, inert, operands = 0, runs = 'words' } = row;
  const wrapper: Wrapper = {
    valued: set(valued),
    code: set(code),
    module: set(module),
    inert: set(inert),
    operands,
    runs,
  };
  return names.split(' ').map((name) => [name.replace('.', ' '), wrapper]);
}

/** By the name of the program, or the program and its subcommand. From the manuals of GNU, util-linux and the package managers. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ...rows('nohup setsid busybox toybox builtin caffeinate unbuffer fakeroot'),
  ...rows('sudo', {
    valued:
      '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --close-from --role --type --command-timeout --other-user --chdir --chroot',
    inert: '-l -v -V -K --list --validate --version',
  }),
  ...rows('doas', { valued: '-u -C -a', inert: '-L' }),
  ...rows('env', { valued: '-u -C -a --unset --chdir --argv0', code: '-S --split-string' }),
  ...rows('nice', { valued: '-n --adjustment' }),
  ...rows('ionice', { valued: '-c -n -p -P -u --class --classdata --pid --pgid --uid' }),
  ...rows('chrt', { valued: '-T -P -D', inert: '-p --pid -m --max', operands: 1 }),
  ...rows('taskset', { inert: '-p --pid', operands: 1 }),
  ...rows('time gtime', { valued: '-f -o --format --output' }),
  ...rows('timeout gtimeout', { valued: '-k -s --kill-after --signal', operands: 1 }),
  ...rows('stdbuf gstdbuf', { valued: '-i -o -e --input --output --error' }),
  ...rows('command', { inert: '-v -V' }),
  ...rows('exec', { valued: '-a' }),
  ...rows('xargs gxargs', {
    valued:
      '-a -d -E -I -J -L -n -P -R -S -s --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var',
  }),
  ...rows('parallel', {
    valued: '-a -d -I -j -L -n -N -S --arg-file --delimiter --jobs --max-args --results --joblog',
  }),
  ...rows('flock', { valued: '-w -E --timeout --wait --conflict-exit-code', code: '-c --command', operands: 1 }),
  ...rows('chroot', { valued: '--userspec --groups', operands: 1 }),
  ...rows('unshare', { valued: '-R -w -S -G --root --wd --setuid --setgid' }),
  ...rows('strace ltrace', { valued: '-a -b -e -E -I -l -n -o -O -p -P -s -S -u -X' }),
  ...rows('watch', { valued: '-n -q --interval --equexit', runs: 'text' }),
  ...rows('eval', { runs: 'text' }),
  ...rows('sh bash dash zsh ksh ash fish', {
    valued: '-o +o -O +O --rcfile --init-file',
    code: '-c',
    runs: 'nothing',
  }),
  ...rows('su runuser', {
    valued: '-g -G -s -w --group --supp-group --shell',
    code: '-c --command',
    operands: 1,
    runs: 'nothing',
  }),
  ...rows('script', { valued: '-E -I -o -O -T', code: '-c --command', runs: 'nothing' }),
  ...rows('python pypy py', { valued: '-W -X', module: '-m', code: '', runs: 'nothing' }),
  ...rows('npx npm.exec npm.x', { valued: '-p -w --package --workspace', code: '-c --call' }),
  ...rows('bunx bun.x pnpm.dlx pnpm.exec yarn.dlx yarn.exec', { valued: '-p --package -F --filter' }),
  ...rows('uvx uv.run', {
    valued: '-p -w --from --with --python --extra --group --index --env-file --directory --project --with-requirements',
    module: '-m --module',
  }),
  ...rows('pipx.run poetry.run bundle.exec rye.run hatch.run', { valued: '--spec --python' }),
]);

/** Options of `find` after which a command stands, up to `;` or `+`. */
export const findExecs: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);
