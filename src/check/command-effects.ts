import type { Tool } from '../../schemas/tool.js';
import { splitWords } from '../projection/words.js';

/** What a command is known to do; nothing is known of most. */
export type CommandEffect = 'destroys' | 'writes' | 'network' | 'adds';

/** The part of a command that shows an effect, as words: `git push --force`. `adds`: each run adds something more. */
export interface KnownEffect {
  readonly effect: CommandEffect;
  readonly words: string;
}

/** What the commands of a Tool are known to do: of its shell arm, a shell string that needs a shell too, and of its container. */
export function knownEffects({ invoke: { shell, container } }: Tool): KnownEffect[] {
  const command = typeof container === 'object' ? container.command : undefined;
  const lines = [shell, typeof command === 'string' ? command : undefined].filter((line) => line !== undefined);
  const commands = [...lines.flatMap(commandsOf), ...(Array.isArray(command) ? [command] : [])];
  return [...lines.flatMap(redirections), ...commands.flatMap((words) => effectsOf(withoutWrappers(words)))];
}

/** The simple commands of a shell string, each as words. One that needs a shell is split as well as it can be without one. */
function commandsOf(shell: string): string[][] {
  const split = splitWords(shell);
  if ('words' in split) return [[...split.words]];
  return shell
    .split(/\|\|?|&&?|;|\n/u)
    .map((part) => part.trim().split(/\s+/u).map(unquoted).filter(Boolean))
    .filter(({ length }) => length > 0);
}

function unquoted(word: string): string {
  return word.replaceAll(/["']/gu, '');
}

function redirections(shell: string): KnownEffect[] {
  const plain = shell.replaceAll(/'[^']*'|"[^"]*"|<[^<>\s]*>|=>|->/gu, '');
  const found = /(?<![0-9&])(>>?)\s*(?!&|\/dev\/null)[^\s>|;&]+/u.exec(plain);
  if (found === null) return [];
  const effects: CommandEffect[] = found[1] === '>>' ? ['writes', 'adds'] : ['writes'];
  return effects.map((effect) => ({ effect, words: `the redirection ${found[0]}` }));
}

/** Commands that run the command after them. */
const wrappers = new Set(['sudo', 'env', 'nice', 'nohup', 'time', 'timeout', 'xargs', 'command', 'stdbuf', 'doas']);

function withoutWrappers(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  if (!wrappers.has(programOf(first))) return words;
  const next = rest.findIndex((word) => !word.startsWith('-') && !word.includes('=') && !/^\d/u.test(word));
  return next === -1 ? [] : withoutWrappers(rest.slice(next));
}

function programOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

const rehearsals = new Set(['--dry-run', '--dryrun', '--check', '--help', '--version', '--list']);

function effectsOf([first, ...args]: readonly string[]): KnownEffect[] {
  if (first === undefined || args.some((arg) => rehearsals.has(arg.replace(/=.*/u, '')))) return [];
  const program = programOf(first);
  return commands.flatMap(({ programs, sub, needs, unless, effects }) => {
    if (!programs.has(program)) return [];
    const operands = operandsOf(program, args);
    if (sub !== undefined && !sub.some((words) => words.split(' ').every((word, i) => operands[i] === word))) return [];
    const needed = needs === undefined ? undefined : args.find((arg) => needs.test(arg));
    if ((needs !== undefined && needed === undefined) || args.some((arg) => unless?.test(arg))) return [];
    const subWords = sub === undefined ? [] : operands.slice(0, (sub[0] ?? '').split(' ').length);
    const shown = [program, ...subWords, ...(needed === undefined || subWords.includes(needed) ? [] : [needed])];
    return effects.map((effect) => ({ effect, words: shown.join(' ') }));
  });
}

/** Options of a program, before its subcommand, that take the next word. */
const valued: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace'])],
  ['docker', new Set(['-c', '--context', '-H', '--host', '--config', '-l', '--log-level'])],
  ['kubectl', new Set(['-n', '--namespace', '--context', '--kubeconfig'])],
  ['npm', new Set(['--prefix', '-w', '--workspace'])],
]);

function operandsOf(program: string, args: readonly string[]): string[] {
  const takesNext = valued.get(program);
  return args.filter((arg, i) => !arg.startsWith('-') && takesNext?.has(args[i - 1] ?? '') !== true);
}

interface CommandRow {
  readonly programs: ReadonlySet<string>;
  /** The first words that are no options, one of these. */
  readonly sub?: readonly string[];
  /** Some argument is like this. */
  readonly needs?: RegExp;
  /** No argument is like this. */
  readonly unless?: RegExp;
  readonly effects: readonly CommandEffect[];
}

function row(programs: string, effects: readonly CommandEffect[], rest: Omit<CommandRow, 'programs' | 'effects'> = {}) {
  return { programs: new Set(programs.split(' ')), effects, ...rest };
}

const packageManagers = 'npm pnpm yarn bun';
const force = /^(?:-[A-Za-z]*f[A-Za-z]*|--force(?:-with-lease)?(?:=.*)?)$/u;

/** Only what is beyond doubt: an effect that is claimed falsely here would be a false alarm. */
const commands: readonly CommandRow[] = [
  row('rm rmdir unlink shred truncate wipefs mkfs dropdb', ['destroys']),
  row('mv cp dd mkdir touch ln chmod chown install patch rsync scp unzip gunzip createdb', ['writes']),
  row('tee', ['writes']),
  row('tee', ['adds'], { needs: /^(?:-a|--append)$/u }),
  row('find', ['destroys'], { needs: /^-delete$/u }),
  row('sed', ['writes'], { needs: /^(?:-[nEersuz]*i|--in-place)/u }),
  row('perl', ['writes'], { needs: /^-[pnale0]*i/u }),
  row('tar', ['writes'], { needs: /^(?:-[A-Za-z]*[cxru][A-Za-z]*|--(?:create|extract|get|append|update))$/u }),
  row('prettier biome eslint stylelint ruff black gofmt', ['writes'], {
    needs: /^(?:--write|--fix|--apply|--in-place|-w)$/u,
  }),
  row('git', ['writes', 'network'], { sub: ['push', 'pull', 'clone'] }),
  row('git', ['network'], { sub: ['fetch', 'ls-remote'] }),
  row('git', ['destroys'], { sub: ['push'], needs: /^(?:-f|--force|--delete|--mirror|--prune|-d|\+.+)$/u }),
  row('git', ['destroys'], { sub: ['reset'], needs: /^--hard$/u }),
  row('git', ['destroys'], { sub: ['clean'], needs: force, unless: /^-[A-Za-z]*n/u }),
  row('git', ['destroys'], { sub: ['branch', 'tag'], needs: /^(?:-d|-D|--delete)$/u }),
  row('git', ['destroys'], { sub: ['rm', 'filter-branch'] }),
  row('git', ['destroys'], { sub: ['stash drop', 'stash clear', 'worktree remove', 'remote remove'] }),
  row('git', ['writes'], {
    sub: [
      'add',
      'merge',
      'rebase',
      'checkout',
      'switch',
      'restore',
      'cherry-pick',
      'revert',
      'am',
      'apply',
      'init',
      'mv',
    ],
  }),
  row('git', ['writes', 'adds'], { sub: ['commit'] }),
  row(packageManagers, ['writes', 'network'], { sub: ['publish', 'install', 'i', 'ci', 'add', 'update'] }),
  row(packageManagers, ['destroys'], { sub: ['unpublish', 'uninstall', 'remove'] }),
  row('npm', ['writes', 'adds'], { sub: ['version'], needs: /^(?:major|minor|patch|pre.*)$/u }),
  row('pip pip3 uv gem cargo', ['writes', 'network'], { sub: ['install', 'publish', 'add', 'push'] }),
  row('pip pip3 gem cargo', ['destroys'], { sub: ['uninstall', 'yank'] }),
  row('twine', ['writes', 'network'], { sub: ['upload'] }),
  row('apt apt-get dnf yum brew apk', ['writes', 'network'], { sub: ['install', 'upgrade', 'update', 'add'] }),
  row('apt apt-get dnf yum brew apk', ['destroys'], { sub: ['remove', 'purge', 'uninstall', 'autoremove', 'del'] }),
  row('gh', ['network']),
  row('gh', ['writes', 'adds'], {
    sub: ['pr create', 'pr comment', 'issue create', 'issue comment', 'release create'],
  }),
  row('gh', ['writes'], { sub: ['pr merge', 'pr close', 'pr edit', 'issue close', 'issue edit', 'release upload'] }),
  row('gh', ['destroys'], { sub: ['repo delete', 'release delete', 'issue delete', 'gist delete', 'run delete'] }),
  row('docker podman', ['destroys'], {
    sub: ['rm', 'rmi', 'kill', 'system prune', 'volume rm', 'image rm', 'container rm'],
  }),
  row('docker podman', ['writes'], { sub: ['build', 'tag', 'commit'] }),
  row('docker podman', ['writes', 'network'], { sub: ['push', 'pull'] }),
  row('kubectl oc', ['network']),
  row('kubectl oc', ['writes'], {
    sub: ['apply', 'create', 'replace', 'patch', 'edit', 'scale', 'annotate', 'label', 'set'],
  }),
  row('kubectl oc', ['destroys'], { sub: ['delete'] }),
  row('terraform tofu', ['writes', 'network'], { sub: ['apply'] }),
  row('terraform tofu', ['destroys'], { sub: ['destroy'] }),
  row('aws', ['destroys'], { sub: ['s3 rm', 's3 rb'] }),
  row('curl wget ssh ping dig nslookup aws gcloud az', ['network']),
  row('curl', ['writes'], {
    needs: /^(?:-o|-O|--output|--remote-name|-T|--upload-file|PUT|PATCH|-XPUT|-XPATCH)$/u,
    unless: /^(?:-|\/dev\/null)$/u,
  }),
  row('curl', ['destroys'], { needs: /^(?:DELETE|-XDELETE|--request=DELETE)$/u }),
];
