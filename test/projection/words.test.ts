import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../src/projection/words.js';

describe('splitWords', () => {
  it.each<readonly [string, readonly string[]]>([
    ['bun run readme:sync', ['bun', 'run', 'readme:sync']],
    ['  a \t b  ', ['a', 'b']],
    ['grep \'a b\' "c d" e\\ f', ['grep', 'a b', 'c d', 'e f']],
    ["printf '%s|%s;$HOME`x`' x", ['printf', '%s|%s;$HOME`x`', 'x']],
    ['echo "a|b > c; *?[x] ~ # {d,e} <f> & !"', ['echo', 'a|b > c; *?[x] ~ # {d,e} <f> & !']],
    ['echo "\\$x \\`y\\` \\"q\\" \\\\ \\n"', ['echo', '$x `y` "q" \\ \\n']],
    ['a"b"\'c\'d', ['abcd']],
    ["x ''", ['x', '']],
    ['find . -exec x {} +', ['find', '.', '-exec', 'x', '{}', '+']],
    ['a b~c d#e f!g h=i', ['a', 'b~c', 'd#e', 'f!g', 'h=i']],
    ["'A=b' c", ['A=b', 'c']],
    ["'if' x", ['if', 'x']],
    ['a \\\n b', ['a', 'b']],
    ['\\* \\~', ['*', '~']],
    ['ls --color=auto -l', ['ls', '--color=auto', '-l']],
    ['.github/run.sh é', ['.github/run.sh', 'é']],
  ])('gives the words of %j', (shell, words) => {
    expect(splitWords(shell)).toEqual({ words });
  });

  it.each([
    ['echo $(date)', 'a substitution $(…)'],
    ['echo "$(date)"', 'a substitution $(…)'],
    ['echo `date`', 'a command substitution `…`'],
    ['echo "`date`"', 'a command substitution `…`'],
    ['echo $HOME', 'the variable $HOME'],
    ['echo "\u0024{HOME}"', 'the variable \u0024{HOME}'],
    ["echo $'a'", '"$"'],
    ['a | b', 'a pipe "|"'],
    ['a > b', 'a redirection ">"'],
    ['a 2>&1', 'a redirection ">"'],
    ['a < b', 'a redirection "<"'],
    ['a <input-file> b', 'the placeholder <input-file>'],
    ['a; b', '";"'],
    ['a && b', '"&"'],
    ['a &', '"&"'],
    ['(a)', '"("'],
    ['a ~/b', '"~" at the start of a word'],
    ['~/bin/a', '"~" at the start of a word'],
    ['a *.md', 'the glob "*"'],
    ['a file?', 'the glob "?"'],
    ['a [bc]', 'the glob "["'],
    ['a [--verbose]', 'the optional part [--verbose]'],
    ['a {b,c}', 'a brace "{"'],
    ['a b}', 'a brace "}"'],
    ['A=b c', 'the assignment A=… before the command'],
    ["A='b c' d", 'the assignment A=… before the command'],
    ['A+=b c', 'the assignment A+=… before the command'],
    ['a # b', '"#" at the start of a word (a comment)'],
    ['a\nb', 'a line break'],
    ["a 'b", "an unbalanced '"],
    ['a "b', 'an unbalanced "'],
    ['a \\', 'a backslash at its end'],
    ['! a', '"!", which only a shell knows,'],
    ['if a', '"if", which only a shell knows,'],
    ['cd a', '"cd", which only a shell knows,'],
    ["a 'b\0c'", 'a NUL character'],
    ['', 'no word'],
    [' \t', 'no word'],
  ])('refuses %j, which needs a shell', (shell, syntax) => {
    expect(splitWords(shell)).toEqual({ syntax });
  });

  it('P7: gives back any words that are quoted with single quotes', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const shell = words.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(' ');
        expect(splitWords(shell)).toEqual({ words });
      }),
    );
  });

  it('P7: gives back any words that are quoted with double quotes', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const shell = words.map((text) => `"${text.replace(/[$`"\\]/g, '\\$&')}"`).join(' ');
        expect(splitWords(shell)).toEqual({ words });
      }),
    );
  });

  it('never throws, and never lets a word through that a shell would change', () => {
    const unit = fc.constantFrom(...'ab \'"\\$`|&;<>(){}[]*?!#~=\n-'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (shell) => {
        const split = splitWords(shell);
        const plain = /^[ab =-]*$/.test(shell) && /[^ ]/.test(shell) && !/^ *[ab]+=/.test(shell);
        if (plain) expect(split).toEqual({ words: shell.split(' ').filter((word) => word !== '') });
        else if (!/['"\\]/.test(shell) && /[$`|&;<>()[\]*?\n]/.test(shell)) expect(split).toHaveProperty('syntax');
      }),
      { numRuns: 2000 },
    );
  });
});
