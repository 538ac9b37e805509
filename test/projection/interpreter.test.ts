import { describe, expect, it } from 'vitest';
import type { Slot } from '../../src/projection/generation.js';
import { interpreterSlot } from '../../src/projection/interpreter.js';
import { splitWords } from '../../src/projection/words.js';

const positional = (name = 'p', position = 0): Slot => ({ name, kind: 'positional', position, repeated: false });
const repeated: Slot = { name: 'many', kind: 'positional', position: 0, repeated: true };
const stdin: Slot = { name: 'in', kind: 'stdin' };
const flag = (text: string, boolean = false): Slot => ({
  name: `flag ${text}`,
  kind: 'flag',
  flag: text,
  joined: false,
  repeated: false,
  boolean,
});

function judge(shell: string, slots: readonly Slot[], required = true) {
  const split = splitWords(shell);
  if (!('words' in split)) throw new Error(`${shell} has ${split.syntax}`);
  return interpreterSlot(
    split.words,
    slots.map((slot) => ({ slot, required })),
  );
}

describe('interpreterSlot', () => {
  it.each<readonly [string, readonly Slot[], string, string]>([
    ['sh -c', [positional()], 'p', 'sh -c'],
    ['bash -lc', [positional()], 'p', 'bash -lc'],
    ['/bin/bash -o pipefail -c', [positional()], 'p', 'bash -c'],
    ['node -e', [positional()], 'p', 'node -e'],
    ['node --eval', [positional()], 'p', 'node --eval'],
    ['node -p', [repeated], 'many', 'node -p'],
    ['node --require ./hook.js -e', [positional()], 'p', 'node -e'],
    ['python3 -c', [positional()], 'p', 'python -c'],
    ['python3.12 -I -c', [positional()], 'p', 'python -c'],
    ['python3 -Bc', [positional()], 'p', 'python -Bc'],
    ['perl -ne', [positional()], 'p', 'perl -ne'],
    ['ruby -e', [positional()], 'p', 'ruby -e'],
    ['php -r', [positional()], 'p', 'php -r'],
    ['deno eval', [positional()], 'p', 'deno eval'],
    ['bun -e', [positional()], 'p', 'bun -e'],
    ['Rscript -e', [positional()], 'p', 'rscript -e'],
    ['awk', [positional('program'), positional('file', 1)], 'program', 'awk'],
    ['awk -F ,', [positional('program')], 'program', 'awk'],
    ['gawk -v x=1', [positional('program')], 'program', 'gawk'],
    ['sed -n', [positional('program')], 'program', 'sed'],
    ['sed -n -e', [positional('program')], 'program', 'sed -e'],
    ['eval', [positional()], 'p', 'eval'],
    // As a flag.
    ['node', [flag('-e')], 'flag -e', 'node -e'],
    ['node', [flag('--eval')], 'flag --eval', 'node --eval'],
    ['bash', [flag('-c')], 'flag -c', 'bash -c'],
    ['python3', [flag('-u', true), flag('-c')], 'flag -c', 'python -c'],
    ['bash', [flag('-c', true), repeated], 'many', 'bash -c'],
    // Behind other programs.
    ['env A=b sh -c', [positional()], 'p', 'sh -c'],
    ['env -u X node -e', [positional()], 'p', 'node -e'],
    ['sudo -u root bash -c', [positional()], 'p', 'bash -c'],
    ['timeout -k 5 60 python3 -c', [positional()], 'p', 'python -c'],
    ['nice -n 10 nohup perl -e', [positional()], 'p', 'perl -e'],
    ['xargs -n 1 sh -c', [positional()], 'p', 'sh -c'],
    ['npx tsx -e', [positional()], 'p', 'tsx -e'],
    ['uv run python -c', [positional()], 'p', 'python -c'],
    ['docker exec -i box sh -c', [positional()], 'p', 'sh -c'],
    ['ssh host sh -c', [positional()], 'p', 'sh -c'],
    // The program itself.
    ['sudo', [positional()], 'p', 'sudo, as the program to start'],
    ['timeout 5', [positional()], 'p', 'timeout, as the program to start'],
    ['env A=b', [positional()], 'p', 'env, as the program to start'],
    // On stdin.
    ['sh', [stdin], 'in', 'sh on stdin'],
    ['bash -e', [stdin], 'in', 'bash on stdin'],
    ['bash -s -- x', [stdin], 'in', 'bash on stdin'],
    ['python3 -', [stdin], 'in', 'python on stdin'],
    ['python3 -u', [stdin], 'in', 'python on stdin'],
    ['node', [flag('--trace-warnings', true), stdin], 'in', 'node on stdin'],
    ['node - x', [stdin], 'in', 'node on stdin'],
    ['bun run -', [stdin], 'in', 'bun on stdin'],
    ['bash /dev/stdin', [stdin], 'in', 'bash on stdin'],
    ['ssh host', [stdin], 'in', 'ssh on stdin'],
    ['parallel', [stdin], 'in', 'parallel on stdin'],
    ['xargs sh -c', [stdin], 'in', 'sh, as an argument from xargs'],
    ["xargs -I {} sh -c 'echo {}'", [stdin], 'in', 'sh, as an argument from xargs'],
  ])('refuses %j', (shell, slots, input, interpreter) => {
    expect(judge(shell, slots)).toEqual({ input, interpreter });
  });

  it('refuses what an optional input, left out, would let become code', () => {
    expect(judge('bash', [positional(), stdin], false)).toEqual({ input: 'in', interpreter: 'bash on stdin' });
    expect(judge('node', [positional(), flag('-e')], false)).toEqual({ input: 'flag -e', interpreter: 'node -e' });
  });

  it.each<readonly [string, readonly Slot[]]>([
    ['bash', [positional()]],
    ['bash script.sh', [positional(), stdin]],
    ['bash script.sh -c', [positional()]],
    ['python3 tools/x.py', [flag('-c'), positional(), stdin]],
    ['python3 -u tools/x.py -c', [positional()]],
    ['python3 -m http.server', [flag('-c'), stdin]],
    ['node script.js', [flag('-e'), flag('-p'), stdin]],
    ['node --test test/x.js', [stdin]],
    ['node --experimental-strip-types tool.ts', [flag('-e'), stdin]],
    ['bun run readme:sync', [flag('-e'), stdin]],
    ['bun test', [flag('-e')]],
    ['deno run tool.ts', [flag('-e'), stdin]],
    ['sh -c \'cat "$1"\' _', [positional(), stdin]],
    ["node -e 'console.log(process.argv)'", [positional(), stdin]],
    ["awk '{print $1}'", [positional(), stdin]],
    ["awk -F , '{print $1}'", [positional()]],
    ['awk -f program.awk', [positional()]],
    ['sed -n 5p', [positional(), stdin]],
    ["sed -e 's/a/b/'", [positional()]],
    ['git grep python -e', [positional()]],
    ['grep -e', [positional()]],
    ['sudo -u root cat', [positional()]],
    ['env A=b cat', [positional(), stdin]],
    ['timeout 5 git log', [positional()]],
    ['xargs cat', [stdin]],
    ['xargs sh', [stdin]],
    ['xargs sh -c \'cat "$@"\' _', [stdin]],
    ['poetry add', [positional()]],
    ['wc -c', [stdin]],
    ['beans', [positional(), flag('-c'), stdin]],
    ['bash', []],
  ])('leaves %j alone', (shell, slots) => {
    expect(judge(shell, slots)).toBeUndefined();
  });
});
