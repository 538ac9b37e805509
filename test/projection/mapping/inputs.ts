import { flag, type MappingRow, onStdin, port, positional, repeated, required, row } from './row.js';

/** P4, P5, P7 and P8: from inputs to argv and stdin. */
export const inputsRows: readonly MappingRow[] = [
  row(
    'P4',
    "a type's own schema is inlined, and the port's description wins",
    {
      inputs: [
        port('it', 'Slug', { ...flag('--it'), required, description: 'Which' }),
        port('level', 'Level', flag('-l')),
      ],
    },
    {
      declares: {
        inputSchema:
          '{"type":"object","properties":{"it":{"type":"string","pattern":"^[a-z]+$","description":"Which"},' +
          '"level":{"type":"string","enum":["low","high"]}},"required":["it"],"additionalProperties":false}',
      },
    },
  ),
  row(
    'P4',
    'no inputs: an object that takes nothing',
    {},
    {
      declares: { inputSchema: '{"type":"object","properties":{},"additionalProperties":false}' },
    },
  ),
  row(
    'P4',
    'and nothing is what it takes',
    {},
    {
      called: { it: 1 },
      refused: ['invalid_params', 'Invalid arguments: /it is not an input of this tool'],
    },
  ),
  row(
    'P5',
    'a repeated input is an array, of one or more when it is required',
    {
      inputs: [
        port('n', 'Count', { ...flag('-n'), repeated }),
        port('m', 'Count', { ...flag('-m'), repeated, required }),
      ],
    },
    {
      declares: {
        inputSchema:
          '{"type":"object","properties":{"n":{"type":"array","items":{"type":"integer","minimum":0}},' +
          '"m":{"type":"array","items":{"type":"integer","minimum":0},"minItems":1}},"required":["m"],"additionalProperties":false}',
      },
    },
  ),
  row(
    'P5',
    'its flag stands before each element',
    { inputs: [port('n', 'Count', { ...flag('-n'), repeated })] },
    {
      called: { n: [1, 22] },
      argv: ['echo', 'hello', '-n', '1', '-n', '22'],
    },
  ),
  row(
    'P7',
    'words, positionals by position, flags in declared order, the repeated positional last',
    {
      invoke: { shell: `tool 'a b' -q` },
      inputs: [
        port('rest', 'Slug', { ...positional(1), repeated }),
        port('z', 'Number', flag('-z')),
        port('on', 'Flag', flag('--on')),
        port('a', 'Level', flag('--a', true)),
        port('first', 'Slug', { ...positional(0), required }),
      ],
    },
    {
      called: { a: 'low', rest: ['x', 'y'], first: 'f', on: true, z: 0.5 },
      argv: ['tool', 'a b', '-q', 'f', '-z', '0.5', '--on', '--a=low', 'x', 'y'],
    },
  ),
  row(
    'P7',
    'a boolean flag that is false is not there',
    { inputs: [port('on', 'Flag', flag('--on'))] },
    {
      called: { on: false },
      argv: ['echo', 'hello'],
    },
  ),
  row(
    'P7',
    'position 1 is not given without position 0',
    { inputs: [port('a', 'Slug', positional(0)), port('b', 'Slug', positional(1))] },
    {
      called: { b: 'x' },
      refused: [
        'invalid_params',
        'Invalid arguments: /a is needed when "b" is given, because it comes before it on the command line',
      ],
    },
  ),
  row(
    'P7',
    'a value that could be an option is refused',
    { inputs: [port('it', 'Option', flag('--it'))] },
    {
      called: { it: '-rf' },
      refused: [
        'option_like_value',
        'The value of "it" begins with "-", so the program could read it as an option; use a value that does not',
      ],
    },
  ),
  row(
    'P7',
    'unless it is joined to its flag',
    { inputs: [port('it', 'Option', flag('--it', true))] },
    {
      called: { it: '-rf' },
      argv: ['echo', 'hello', '--it=-rf'],
    },
  ),
  row(
    'P8',
    'free text goes on stdin',
    { inputs: [port('it', 'Text', { ...onStdin, required })] },
    {
      called: { it: '$(id); "x"\n' },
      argv: ['echo', 'hello'],
      stdin: '$(id); "x"\n',
    },
  ),
  row('P8', 'an optional input without arg is not offered', { inputs: [port('it', 'Text', {})] }, { declares: {} }),
  row(
    'P8',
    'a required one leaves the tool out',
    { inputs: [port('it', 'Text', { required })] },
    {
      omitted: ['unreachable-input', 'its required input "it" has no arg, so it cannot reach the process'],
    },
  ),
  row(
    'P8',
    'so does a type with a value that a shell would act on',
    { inputs: [port('it', 'Word', flag('--it'))] },
    {
      omitted: ['unsafe-argv-input', 'its input "it" goes into argv, and the type Word has a pattern that admits " "'],
    },
  ),
];
