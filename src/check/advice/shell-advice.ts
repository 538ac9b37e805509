import type { Tool } from '../../../schemas/tool.js';
import { splitWords } from '../../projection/words.js';
import type { Advice } from './advice.js';
import { jsonMember } from './json-member.js';
import { usageInputs } from './usage-inputs.js';

/**
 * How a shell string that needs a shell is written without one. What needs it is named in words by `splitWords`; undefined where
 * there is nothing.
 */
export function shellAdvice({ id, invoke: { shell = '' }, io }: Tool): Advice | undefined {
  const split = splitWords(shell);
  if ('words' in split) return undefined;
  const { syntax } = split;
  const place = { pointer: '/invoke/shell', now: jsonMember('shell', shell) };
  const usage = usageInputs(shell, io.inputs);
  if (usage !== undefined) {
    const { parts, inputs } = usage;
    return {
      ...place,
      steps: [
        `Leave ${parts.join(' and ')} out of the command: its words are fixed, and what changes from call to call is an input, whose word comes after them.`,
        ...inputs.map(({ input, index }) =>
          index === undefined
            ? `Add to io.inputs: ${JSON.stringify(input)}`
            : `Add to the input "${input.name}": ${jsonMember('arg', input.arg)}`,
        ),
      ],
      change: [jsonMember('shell', usage.shell)],
      with: inputs.map(({ input, index }) =>
        index === undefined
          ? { pointer: '/io/inputs/-', text: JSON.stringify(input) }
          : { pointer: `/io/inputs/${index}`, text: jsonMember('arg', input.arg) },
      ),
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
  [
    /^(?:the placeholder|the optional part)/,
    'What changes from call to call is an input; the words of a command are fixed.',
  ],
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
