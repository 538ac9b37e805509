import { describe, expect, it } from 'vitest';
import { knownEffects } from '../../src/check/command-effects.js';
import { tool } from '../cli/generation-builder.js';

function effects(shell: string): string[] {
  return knownEffects(tool('a', { invoke: { shell } })).map(({ effect, words }) => `${effect}: ${words}`);
}

const known: readonly (readonly [shell: string, ...effects: string[]])[] = [
  ['rm -rf build', 'destroys: rm'],
  ['/bin/rm build', 'destroys: rm'],
  ['mv a b', 'writes: mv'],
  ['git push', 'writes: git push', 'network: git push'],
  ['git -C docs -c a.b=c push --force', 'writes: git push', 'network: git push', 'destroys: git push --force'],
  ['git reset --hard', 'destroys: git reset --hard'],
  ['git clean -fd', 'destroys: git clean -fd'],
  ['git stash drop', 'destroys: git stash drop'],
  ['git commit -m x', 'writes: git commit', 'adds: git commit'],
  ['git branch -D x', 'destroys: git branch -D'],
  ['npm publish', 'writes: npm publish', 'network: npm publish'],
  ['sudo -n rm x', 'destroys: rm'],
  ['env A=b rm x', 'destroys: rm'],
  ['find . -name x -delete', 'destroys: find -delete'],
  ['sed -i.bak s/a/b/ f', 'writes: sed -i.bak'],
  ['tar -xzf archive', 'writes: tar -xzf'],
  ['curl -X DELETE https://example.org', 'network: curl', 'destroys: curl -X DELETE'],
  ['kubectl -n prod delete pod x', 'network: kubectl', 'destroys: kubectl delete'],
  // A string that needs a shell is an omission; what it does is known all the same.
  ['cat a > b', 'writes: the redirection > b'],
  ['echo x >> log', 'writes: the redirection >> log', 'adds: the redirection >> log'],
  ['ls | xargs rm', 'destroys: rm'],
  ['true && git push', 'writes: git push', 'network: git push'],
  // Options of a program that runs another, with their values.
  ...[
    ...['sudo -u root rm -rf b', 'timeout -s KILL 5 rm -rf b', 'timeout --signal=KILL 5 rm b', 'env -u FOO rm b'],
    ...[
      'stdbuf -o L rm b',
      'xargs -I X rm X',
      'xargs -0I{} rm {}',
      'xargs -0n 1 rm',
      'doas -u root rm x',
      'busybox rm b',
    ],
    ...[
      'setsid -w rm b',
      'flock l rm b',
      "flock l -c 'rm b'",
      'flock -w 3 l rm b',
      'chroot / rm b',
      'ionice -c 3 rm b',
    ],
    ...['nice -n 5 rm b', 'nice -n5 rm b', 'nice -5 rm b', 'strace -f -o log rm b', 'watch -n 1 rm b', "watch 'rm b'"],
    ...["sh -c 'rm b'", "bash -lc 'ls; rm b'", "sh -e -c 'rm b'", "sudo -n sh -c 'cd x && exec rm b'", "env -S 'rm b'"],
    ...["su root -c 'rm b'", 'taskset -c 0 rm b', 'find . -exec rm {} +', "find . -name x -exec rm {} ';'"],
    ...['A=b rm x', 'if true; then rm x; fi', 'echo $(rm x)', 'echo "$(rm x)"', "true && bash -c 'ls; rm b'"],
    ...['rm -rf -- --help build', 'rm --dry-run x', 'rm x # --help'],
  ].map((shell) => [shell, 'destroys: rm'] as const),
  ['find . -delete', 'destroys: find -delete'],
  ['find . -fprint out', 'writes: find -fprint=out'],
  ['npx rimraf b', 'destroys: rimraf'],
  ['npx --yes rimraf@5 b', 'destroys: rimraf'],
  ['pnpm dlx rimraf b', 'destroys: rimraf'],
  ['npm exec -- rimraf b', 'destroys: rimraf'],
  ['python3 -m pip install x', 'writes: pip install', 'network: pip install'],
  ['python3.12 -m pip uninstall x', 'destroys: pip uninstall'],
  ['uv pip install x', 'writes: uv pip install', 'network: uv pip install'],
  ['tar xf archive', 'writes: tar -xf'],
  ['curl -sXDELETE https://example.org', 'network: curl', 'destroys: curl -X DELETE'],
  ['curl --request DELETE https://example.org', 'network: curl', 'destroys: curl --request=DELETE'],
  ['curl -so f https://example.org', 'network: curl', 'writes: curl -o f'],
  ['wget -O f https://example.org', 'network: wget', 'writes: wget'],
  ['aws --profile p s3 rm s3://b', 'network: aws', 'destroys: aws s3 rm'],
  ['aws s3 sync --delete a s3://b', 'network: aws', 'writes: aws s3 sync', 'destroys: aws s3 sync --delete'],
  ['gh api -X DELETE repos/a/b', 'network: gh', 'destroys: gh api -X DELETE'],
  ['docker compose -f x.yaml down -v', 'destroys: docker compose down -v'],
  ['docker system prune', 'destroys: docker system prune'],
  ['git commit -m --dry-run', 'writes: git commit', 'adds: git commit'],
  ['kubectl --dry-run=none delete pod x', 'network: kubectl', 'destroys: kubectl delete'],
  ['prettier --check --write .', 'writes: prettier --write'],
];

const unknown = [
  'bun run readme:sync',
  'node scripts/rm.mjs',
  'git status --short',
  'git log --grep push',
  'git --no-pager grep rm',
  'git tag --list',
  'git branch',
  'git clean -nfd',
  'rm --help',
  "echo 'a; rm b' | cat",
  'echo "a; rm b" | cat',
  'cat x # rm b',
  'command -v rm',
  'sudo -l rm',
  'sh rm.sh -c rm',
  'su rm',
  'xargs -I rm echo rm',
  'timeout -s KILL 5 ls rm',
  'flock rm ls',
  'find . -name -delete',
  'find . -exec grep rm {} +',
  'npx prettier rm',
  'python3 -m rm_tool rm',
  'python3 rm.py -m rm',
  'tar cf - src',
  'tar -xOf archive',
  'gem list --version',
  'docker compose down',
  'rsync -avn a b',
  'git apply --check p',
  'git push --dry-run',
  'npm run publish',
  'tar tf archive',
  'perl -Mstrict -e 1',
  'sed -n s/a/b/p file',
  'prettier --check .',
  'ls 2>/dev/null',
  'ls 2>&1',
  'echo "a > b"',
  'tool <input> -> out',
  'find . -name delete',
];

describe('knownEffects', () => {
  it.each(known)('%s', (shell, ...expected) => {
    expect(effects(shell).sort()).toEqual(expected.sort());
  });

  it.each(unknown)('knows of no effect: %s', (shell) => {
    expect(effects(shell)).toEqual([]);
  });

  it.each([
    ['aws s3 cp s3://b -', 'network: aws'],
    ['wget -qO- https://example.org', 'network: wget'],
    ["curl -d DELETE -H 'X: PUT' https://example.org", 'network: curl'],
    ['gh api -f method=DELETE x', 'network: gh'],
    ['kubectl delete --dry-run=client pod x'],
  ])('knows of no more: %s', (shell, ...expected) => {
    expect(effects(shell)).toEqual(expected);
  });

  it('ends where programs run one another without an end', () => {
    expect(effects(`${'sudo '.repeat(10_000)}rm b`)).toEqual([]);
    expect(effects(`${'sudo '.repeat(10)}rm b`)).toEqual(['destroys: rm']);
  });

  it('looks at the command of a container, as text and as words', () => {
    const ofContainer = (command: string | string[]) =>
      knownEffects(tool('a', { invoke: { container: { image: 'x', command } } }));
    expect(ofContainer('rm x')).toEqual([{ effect: 'destroys', words: 'rm' }]);
    expect(ofContainer(['rm', 'x'])).toEqual([{ effect: 'destroys', words: 'rm' }]);
    expect(knownEffects(tool('a', { invoke: { container: 'rm' } }))).toEqual([]);
  });
});
