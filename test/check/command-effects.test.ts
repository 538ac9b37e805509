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
  ['curl -X DELETE https://example.org', 'network: curl', 'destroys: curl DELETE'],
  ['kubectl -n prod delete pod x', 'network: kubectl', 'destroys: kubectl delete'],
  // A string that needs a shell is an omission; what it does is known all the same.
  ['cat a > b', 'writes: the redirection > b'],
  ['echo x >> log', 'writes: the redirection >> log', 'adds: the redirection >> log'],
  ['ls | xargs rm', 'destroys: rm'],
  ['true && git push', 'writes: git push', 'network: git push'],
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
  'rm --dry-run x',
  'git push --dry-run',
  'npm run publish',
  'tar tf archive',
  'perl -Mstrict -e 1',
  'sed -n s/a/b/p file',
  'prettier --check --write .',
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

  it('looks at the command of a container, as text and as words', () => {
    const ofContainer = (command: string | string[]) =>
      knownEffects(tool('a', { invoke: { container: { image: 'x', command } } }));
    expect(ofContainer('rm x')).toEqual([{ effect: 'destroys', words: 'rm' }]);
    expect(ofContainer(['rm', 'x'])).toEqual([{ effect: 'destroys', words: 'rm' }]);
    expect(knownEffects(tool('a', { invoke: { container: 'rm' } }))).toEqual([]);
  });
});
