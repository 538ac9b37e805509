import type { Tool } from '../../../schemas/tool.js';
import { builtinTypesId } from '../../../schemas/types.js';
import { splitWords } from '../../projection/words.js';
import type { Advice } from './advice.js';
import { jsonMember } from './json-member.js';

/**
 * How a shell string that needs a shell is written without one. What needs it is named in words by `splitWords`; undefined where
 * there is nothing.
 */
export function shellAdvice({ id, invoke: { shell = '' }, io }: Tool): Advice | undefined {
  const split = splitWords(shell);
  if ('words' in split) return undefined;
  const { syntax } = split;
  const place = { pointer: '/invoke/shell', now: jsonMember('shell', shell) };
  const placeholder = /^the placeholder <(.+)>$/.exec(syntax)?.[1];
  if (placeholder !== undefined) {
    const name = placeholder.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64);
    const positional = io.inputs.filter(({ arg }) => arg !== undefined && 'positional' in arg).length;
    return {
      ...place,
      steps: [
        `Leave <${placeholder}> out of the command: its words are fixed, and what changes from call to call is an input.`,
        `Inputs come after the words, so give "${name}" a place there: ${inputWords(name, 'Word', { positional }, true)}`,
      ],
      change: [jsonMember('shell', without(shell, `<${placeholder}>`))],
    };
  }
  const optional = /^the optional part (\[(-[^\s=\]]+)(.*)\])$/.exec(syntax);
  if (optional !== null) {
    const [, part = '', flag = '', value = ''] = optional;
    const name = flag.replace(/^-+/, '').replace(/[^A-Za-z0-9_.-]+/g, '_') || 'option';
    return {
      ...place,
      steps: [
        `Leave ${part} out of the command, and make it an optional input: ${inputWords(name, value === '' ? 'Flag' : 'Word', { flag }, false)}`,
      ],
      change: [jsonMember('shell', without(shell, part))],
    };
  }
  const known = plainAdvice.find(([pattern]) => pattern.test(syntax));
  const script = `scripts/${id}.sh`;
  return {
    ...place,
    steps: [
      ...(known === undefined ? [] : [known[1]]),
      `Put the line into the file ${script}, after a first line #!/bin/sh, make it executable (chmod +x ${script}), and name the file. ` +
        'Inputs reach it as "$1", "$2" and so on.',
    ],
    change: [jsonMember('shell', script)],
  };
}

/** What may have been meant, by what was found; a script does for all of them. */
const plainAdvice: readonly (readonly [RegExp, string])[] = [
  [/^an unbalanced/, 'Close the quote, or put a backslash before it where it is meant as it is.'],
  [/^a backslash/, 'Take the backslash at the end away: there is nothing after it.'],
  [/^"~"/, 'Nothing here knows "~": write the path from the root of the instance, or the whole path.'],
  [/^"#"/, 'A comment cannot stand in a command: take it out.'],
  [/^(?:the variable|"\$")/, 'Nothing replaces a variable here: write its value, or make it an input.'],
  [
    /^the assignment/,
    'A variable is not set in the command: name it under requires.env, and permit it in the config under "env".',
  ],
  [/^"cd"/, 'The folder in which tools run is "cwd" in toolgraph.config.json.'],
  [
    /^(?:the glob|a brace|"\("|"\)")/,
    "Where the character is meant as it is, put the word between single quotes: '…'.",
  ],
  [
    /^(?:a pipe|a redirection|";"|"&")/,
    'There is no shell that could connect several commands, or send output to a file.',
  ],
];

function inputWords(name: string, type: string, arg: object, required: boolean): string {
  const input = { name, schema: `${builtinTypesId}#/$defs/${type}`, ...(required ? { required } : {}), arg };
  return JSON.stringify(input);
}

function without(shell: string, part: string): string {
  return shell.replace(part, '').replace(/\s+/g, ' ').trim();
}
