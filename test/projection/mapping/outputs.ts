import { json, type MappingRow, port, row, text } from './row.js';

/** P6: from stdout to outputs. */
export const outputsRows: readonly MappingRow[] = [
  row(
    'P6',
    'one property for each output; each is required unless the node says not',
    {
      outputs: [
        port('n', 'Count', { ...json('/n'), description: 'How many' }),
        port('log', 'Text', { ...text, required: false }),
      ],
    },
    {
      declares: {
        outputSchema:
          '{"type":"object","properties":{"n":{"type":"integer","minimum":0,"description":"How many"},"log":{"type":"string"}},' +
          '"required":["n"],"additionalProperties":false}',
      },
    },
  ),
  row(
    'P6',
    'none when one output does not say where it comes from',
    {
      outputs: [port('n', 'Count', json('/n')), port('prose', 'Either', {})],
    },
    { declares: {} },
  ),
  row(
    'P6',
    'none when the arm does not have it: a process has no result',
    { outputs: [port('n', 'Count', { from: { result: true } })] },
    {
      declares: {},
    },
  ),
  row(
    'P6',
    'pointers pick parts of the one JSON value',
    {
      outputs: [port('n', 'Count', json('/a~1b/1')), port('report', 'Report', json())],
    },
    {
      prints: '{"lines": ["x"], "a/b": [0, 7]}\n',
      result: '{"n":7,"report":{"lines":["x"],"a/b":[0,7]}}',
    },
  ),
  row(
    'P6',
    'a text is trimmed',
    { outputs: [port('log', 'Text', text)] },
    {
      prints: '\n a\n b \n',
      result: '{"log":"a\\n b"}',
    },
  ),
  row('P6', 'without outputSchema the text is what was printed', {}, { prints: '\n a\n', result: '\n a\n' }),
  row(
    'P6',
    'what is not JSON is an error, with the place',
    { outputs: [port('n', 'Count', json())] },
    {
      prints: '{"n":\n  NaN}',
      failed: ['output_not_json', 'The output of sample is not JSON: unexpected "N" (line 2, column 3)'],
    },
  ),
  row(
    'P6',
    'so is what the schema does not accept',
    { outputs: [port('n', 'Count', json('/n'))] },
    {
      prints: '{"n": -1}',
      failed: ['output_mismatch', 'The output of sample is not what its outputSchema says: /n must be >= 0'],
    },
  ),
  row(
    'P6',
    'and what is not there',
    { outputs: [port('n', 'Count', json('/n'))] },
    {
      prints: '{}',
      failed: [
        'output_mismatch',
        'The output of sample is not what its outputSchema says: /n is missing: stdout has nothing at "/n"',
      ],
    },
  ),
];
