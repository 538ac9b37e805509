import type { CommandEffect } from './command-effect.js';

/** A form of a command and what it is known to do. */
export interface CommandRow {
  readonly programs: ReadonlySet<string>;
  /** The first words that are no options, one of these. */
  readonly sub?: readonly string[];
  /** Some option (`-f`, `-X=DELETE`) or operand is like this. */
  readonly needs?: RegExp;
  /** No option or operand is like this. */
  readonly unless?: RegExp;
  readonly effects: readonly CommandEffect[];
}

function row(programs: string, effects: readonly CommandEffect[], rest: Omit<CommandRow, 'programs' | 'effects'> = {}) {
  return { programs: new Set(programs.split(' ')), effects, ...rest };
}

const packageManagers = 'npm pnpm yarn bun';
const force = /^(?:-[A-Za-z]*f[A-Za-z]*|--force(?:-with-lease)?(?:=.*)?)$/u;

/** Only what is beyond doubt: an effect that is claimed falsely here would be a false alarm. */
export const commandRows: readonly CommandRow[] = [
  row('rm rmdir unlink shred truncate wipefs mkfs dropdb rimraf del-cli', ['destroys']),
  row('mv cp dd mkdir touch ln chmod chown install patch rsync scp unzip gunzip createdb', ['writes']),
  row('tee', ['writes']),
  row('tee', ['adds'], { needs: /^(?:-a|--append)$/u }),
  row('find', ['destroys'], { needs: /^-delete$/u }),
  row('find', ['writes'], { needs: /^-f(?:ls|print|print0|printf)=/u }),
  row('sed', ['writes'], { needs: /^(?:-[nEersuz]*i|--in-place)/u }),
  row('perl', ['writes'], { needs: /^-[pnale0]*i/u }),
  row('tar bsdtar gtar', ['writes'], {
    needs: /^(?:-[A-Za-z]*x[A-Za-z]*|--(?:extract|get))$/u,
    unless: /^(?:-[A-Za-z]*O[A-Za-z]*|--to-stdout)$/u,
  }),
  row('tar bsdtar gtar', ['writes'], {
    needs: /^(?:-[A-Za-z]*[cru][A-Za-z]*|--(?:create|append|update))$/u,
    unless: /^-$/u,
  }),
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
  row('pip uv gem cargo', ['writes', 'network'], { sub: ['install', 'publish', 'add', 'push'] }),
  row('uv', ['writes', 'network'], { sub: ['pip install', 'pip sync', 'tool install'] }),
  row('uv', ['destroys'], { sub: ['pip uninstall', 'tool uninstall', 'cache clean'] }),
  row('pip gem cargo', ['destroys'], { sub: ['uninstall', 'yank'] }),
  row('twine', ['writes', 'network'], { sub: ['upload'] }),
  row('apt apt-get dnf yum brew apk', ['writes', 'network'], { sub: ['install', 'upgrade', 'update', 'add'] }),
  row('apt apt-get dnf yum brew apk', ['destroys'], { sub: ['remove', 'purge', 'uninstall', 'autoremove', 'del'] }),
  row('gh', ['network']),
  row('gh', ['writes', 'adds'], {
    sub: ['pr create', 'pr comment', 'issue create', 'issue comment', 'release create'],
  }),
  row('gh', ['writes'], { sub: ['pr merge', 'pr close', 'pr edit', 'issue close', 'issue edit', 'release upload'] }),
  row('gh', ['destroys'], { sub: ['repo delete', 'release delete', 'issue delete', 'gist delete', 'run delete'] }),
  row('gh', ['destroys'], { sub: ['api'], needs: /^(?:-X|--method)=delete$/iu }),
  row('gh', ['writes'], { sub: ['api'], needs: /^(?:-X|--method)=(?:put|patch)$/iu }),
  row('docker podman', ['destroys'], {
    sub: [
      ...['rm', 'rmi', 'kill', 'compose rm', 'system prune', 'volume rm', 'volume prune', 'image rm', 'image prune'],
      ...['container rm', 'container prune', 'network rm', 'network prune', 'builder prune'],
    ],
  }),
  row('docker podman', ['destroys'], { sub: ['compose down'], needs: /^(?:-v|--volumes)$/u }),
  row('docker-compose podman-compose', ['destroys'], { sub: ['rm'] }),
  row('docker-compose podman-compose', ['destroys'], { sub: ['down'], needs: /^(?:-v|--volumes)$/u }),
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
  row('aws', ['destroys'], { sub: ['s3 sync'], needs: /^--delete$/u }),
  row('aws', ['writes'], { sub: ['s3 cp', 's3 mv', 's3 sync', 's3 mb'], unless: /^-$/u }),
  row('curl wget ssh ping dig nslookup aws gcloud az', ['network']),
  row('curl', ['writes'], {
    needs:
      /^(?:(?:-o|--output)=(?!-$|\/dev\/null$).*|-[A-Za-z#]*O[A-Za-z#]*|--remote-name(?:-all)?|(?:-T|--upload-file)=.*|(?:-X|--request)=(?:PUT|PATCH))$/u,
  }),
  row('curl', ['destroys'], { needs: /^(?:-X|--request)=DELETE$/u }),
  row('wget', ['writes'], { unless: /^(?:--spider|(?:-O|--output-document)=(?:-|\/dev\/null))$/u }),
  row('wget', ['destroys'], { needs: /^--method=DELETE$/u }),
];

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const curl =
  '-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --request --output --data --data-raw --data-binary ' +
  '--header --form --user --user-agent --cookie --cookie-jar --referer --upload-file --url --max-time --retry --write-out --proxy --cert --key --cacert';
const docker =
  '-c --context -H --host --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory --filter';

/** Options of a program that take the next word. */
export const valuedOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', words('-C -c -m --message --git-dir --work-tree --namespace')],
  ['docker', words(docker)],
  ['podman', words(docker)],
  ['docker-compose', words(docker)],
  ['podman-compose', words(docker)],
  ['kubectl', words('-n --namespace --context --kubeconfig --cluster --user -s --server')],
  ['oc', words('-n --namespace --context --kubeconfig --cluster --user -s --server')],
  ['npm', words('--prefix -w --workspace --registry --tag')],
  ['pnpm', words('-C --dir --filter --registry --tag')],
  ['yarn', words('--cwd --registry --tag')],
  ['pip', words('-r -c -i -t --python --proxy --log --index-url --requirement --constraint --target --cache-dir')],
  ['uv', words('-r -p --python --directory --project --cache-dir --color --config-file --index-url --requirement')],
  ['gem', words('-v --version -i --install-dir')],
  ['cargo', words('--version --config --color -C -Z')],
  ['gh', words('-R --repo -X --method -H --header -f -F --field --raw-field -q --jq -t --title -b --body')],
  ['aws', words('--profile --region --output --endpoint-url --query --ca-bundle --color --exclude --include')],
  ['curl', words(curl)],
  ['wget', words('-O -o -P -U -e -i -t -T -Q -A -R -D -I -X --output-document --output-file --header --method')],
  ['find', words('-name -iname -path -ipath -regex -newer -type -user -group -fls -fprint -fprint0 -fprintf')],
]);

interface Rehearsal {
  readonly programs: ReadonlySet<string>;
  readonly sub?: ReadonlySet<string>;
  readonly option: RegExp;
}

function rehearsal(programs: string, option: RegExp, sub?: string): Rehearsal {
  return { programs: words(programs), option, ...(sub === undefined ? {} : { sub: words(sub) }) };
}

/** Options with which a program only says what it would do, by program: `rm --dry-run` is none, as rm does not know it. */
export const rehearsals: readonly Rehearsal[] = [
  rehearsal('git', /^(?:--dry-run|-n)$/u, 'push add rm mv clean'),
  rehearsal('git', /^--dry-run$/u, 'fetch commit pull'),
  rehearsal('git', /^--(?:check|stat|numstat|summary)$/u, 'apply'),
  rehearsal('npm pnpm yarn bun pip uv brew patch docker', /^--dry-run$/u),
  rehearsal('docker podman docker-compose podman-compose', /^--dry-run$/u, 'compose down rm'),
  rehearsal('cargo', /^(?:--dry-run|-n|--list)$/u),
  rehearsal('rsync', /^(?:--dry-run|--list-only|-[A-Za-z]*n[A-Za-z]*)$/u),
  rehearsal('apt apt-get', /^(?:--dry-run|--simulate|--just-print|--no-act|-s)$/u),
  rehearsal('apk', /^(?:--simulate|-s)$/u),
  rehearsal('kubectl oc', /^--dry-run(?:=(?:client|server))?$/u),
  rehearsal('gh', /^--dry-run$/u, 'pr'),
  rehearsal('aws', /^--dry-?run$/u),
  rehearsal('terraform tofu', /^-help$/u),
];
