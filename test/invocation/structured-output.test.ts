import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { CappedOutput } from '../../src/invocation/output.js';
import { structuredOutput } from '../../src/invocation/structured-output.js';
import type { StdoutOutput } from '../../src/projection/generation.js';
import { shellEntry } from './shell-entry.js';

/** One output of a Tool: how it is read, and its schema. */
interface Declared {
  readonly from?: Partial<StdoutOutput>;
  readonly schema?: JsonSchema;
}

const anything = { type: 'object', properties: {} } as const;
const whole: Readonly<Record<string, Declared>> = { it: { schema: anything } };

/** Reads bytes that a process wrote as the outputs declared; without a `from`, an output is the whole JSON value. */
function read(written: string | Uint8Array, declared = whole, limitBytes = 1024 * 1024) {
  const captured = new CappedOutput(limitBytes);
  captured.write(Buffer.from(written));
  const outputs = Object.entries(declared).map(
    ([name, { from }]): StdoutOutput => ({ name, format: 'json', required: true, ...from }),
  );
  const outputSchema = {
    type: 'object',
    properties: Object.fromEntries(Object.entries(declared).map(([name, { schema = {} }]) => [name, schema])),
    required: outputs.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  } as const;
  const { declaration } = shellEntry({});
  const entry = { id: 'probe-tool', declaration: { ...declaration, outputSchema } };
  return structuredOutput(entry, { outputs, outputSchema }, captured.read(), limitBytes);
}

/** The issues of an `output_mismatch`. */
async function issuesOf(...args: Parameters<typeof read>) {
  const result = await read(...args);
  expect(result).toMatchObject({ code: 'output_mismatch' });
  return 'details' in result ? result.details.issues : undefined;
}

describe('The outputs of a call (P6)', () => {
  it('are stdout as one JSON value, with the same value in the text', async () => {
    const result = await read(' {"a": [1.0, "é\\u0041"], "b": null}\n', whole);
    expect(result).toEqual({ value: { it: { a: [1, 'éA'], b: null } }, text: '{"it":{"a":[1,"éA"],"b":null}}' });
  });

  it.each<[string, unknown]>([
    ['3', 3],
    ['"x"', 'x'],
    ['null', null],
    ['false', false],
    ['[]', []],
  ])('may be %s, which is no object: the root of the result is one all the same', async (json, it) => {
    expect(await read(json, { it: {} })).toEqual({ value: { it }, text: JSON.stringify({ it }) });
  });

  it('are parts that pointers pick, several of them, or the same twice', async () => {
    const json = '{"a":[{"n":1},{"n":2}],"x/y":{"~":"t"},"":{"":3},"0":null}';
    const at = (pointer: string): Declared => ({ from: { pointer } });
    const declared = { first: at('/a/1/n'), again: at('/a/1/n'), odd: at('/x~1y/~0'), empty: at('//'), none: at('/0') };
    expect(await read(json, declared)).toMatchObject({ value: { first: 2, again: 2, odd: 't', empty: 3, none: null } });
  });

  it('are the text without the white space around it, beside JSON too', async () => {
    const text: Declared = { from: { format: 'text' } };
    expect(await read('\uFEFF\r\n a\tb \n\n', { text })).toEqual({ value: { text: 'a\tb' }, text: '{"text":"a\\tb"}' });
    expect(await read('', { text })).toMatchObject({ value: { text: '' } });
    expect(await read(' {"n":1}\n', { text, n: { from: { pointer: '/n' } } })).toMatchObject({
      value: { text: '{"n":1}', n: 1 },
    });
  });

  it('lack what is optional and not there', async () => {
    const declared = { n: { from: { pointer: '/n', required: false } }, m: { from: { pointer: '/m' } } };
    expect(await read('{"m":1}', declared)).toEqual({ value: { m: 1 }, text: '{"m":1}' });
  });

  it('are every JSON value that JSON.stringify writes, unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        const json = JSON.stringify(value);
        fc.pre(!json.includes('"__proto__"') && !/\\u[dD][89a-fA-F]/.test(json) && !/[0-9]{16}/.test(json));
        expect(await read(json, { it: {} })).toEqual({ value: { it: JSON.parse(json) }, text: `{"it":${json}}` });
      }),
    );
  });
});

describe('output_not_json', () => {
  it.each<[string, string | Uint8Array, string, object]>([
    ['words', 'done\n', 'is not JSON: unexpected "d" (line 1, column 1)', { line: 1, column: 1, offset: 0 }],
    ['NaN', '{"a":1,\n "b":NaN}', 'is not JSON: unexpected "N" (line 2, column 6)', { line: 2, column: 6, offset: 13 }],
    ['half a value', '{"a": [', 'is not JSON: the JSON ends too early (line 1, column 8)', { offset: 7 }],
    ['a line before it', 'ok\n{"a":1}', 'is not JSON: unexpected "o" (line 1, column 1)', {}],
    [
      'JSON lines',
      '{"a":1}\n{"a":2}\n',
      'goes on after one JSON value; expected no more than one (line 2, column 1)',
      { line: 2, column: 1, offset: 8 },
    ],
    ['a comment after it', '{} // x', 'goes on after one JSON value; expected no more than one (line 1, column 4)', {}],
    ['nothing', '', 'is empty; expected one JSON value', {}],
    ['white space', ' \n\t', 'is empty; expected one JSON value', {}],
    ['a byte order mark alone', '\uFEFF', 'is empty; expected one JSON value', {}],
    ['two byte order marks', '\uFEFF\uFEFF1', 'is not JSON: unexpected "\uFEFF" (line 1, column 1)', {}],
    [
      'a key twice',
      '{"a":1,\n"b":{"x":1,"x":2}}',
      'has the key "x" twice in one object, so it is not clear which value is meant (line 2, column 12)',
      { line: 2, column: 12, offset: 19 },
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x22, 0x61, 0xff, 0x22]),
      'is not UTF-8, as JSON has to be (line 1, column 3)',
      { line: 1, column: 3, offset: 2 },
    ],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'is not JSON: ', {}],
  ])('is %s', async (_, written, words, place) => {
    const result = await read(written);
    expect(result).toMatchObject({ code: 'output_not_json', details: place });
    expect('message' in result && result.message).toContain(`The output of probe-tool ${words}`);
    expect('details' in result && result.details.stdout).toBe(Buffer.from(written).toString());
  });

  it('is what the name toString keeps from being compared', async () => {
    const printed = { toString: 0 };
    const result = await read(JSON.stringify(printed), { it: { schema: { const: printed } } });
    expect(result).toMatchObject({ code: 'output_mismatch', details: { issues: [{ path: '/it/toString' }] } });
  });

  it('is not one byte order mark, nor U+FFFD that the tool printed', async () => {
    expect(await read('\uFEFF{"a":1}')).toMatchObject({ value: { it: { a: 1 } } });
    expect(await read('"\uFFFD"', { it: {} })).toMatchObject({ value: { it: '\uFFFD' } });
  });

  it('X11: is what was cut, even where the rest is JSON, and names the limit to raise', async () => {
    const result = await read('1234', { it: {} }, 2);
    expect(result).toMatchObject({
      code: 'output_not_json',
      message:
        'The output of probe-tool was cut after 2 bytes, so it is no whole JSON value; print less, or raise limits.outputBytes of the node',
    });
  });

  it('keeps a bounded part of what was printed, never half a character', async () => {
    const result = await read(`${'x'.repeat(4095)}😀${'y'.repeat(100_000)}`);
    expect('details' in result && result.details.stdout).toBe(`${'x'.repeat(4095)}…`);
  });

  it('is what is too long or has too many values, before it is parsed', async () => {
    expect(await read(`"${'x'.repeat(8 * 1024 * 1024)}"`, whole, 16 * 1024 * 1024)).toMatchObject({
      code: 'output_not_json',
      message: 'The output of probe-tool has 8388610 characters; JSON is read up to 8388608, so print less',
    });
    // Not even JSON: that is found by the parser only.
    expect(await read(`[${'1,'.repeat(100_000)}]`)).toMatchObject({
      code: 'output_not_json',
      message:
        'The output of probe-tool has more than 100000 values by its commas and brackets; JSON is read up to that, so print less',
    });
  });

  it('does not search long texts for the place', async () => {
    const result = await read(`["${'x'.repeat(2 * 1024 * 1024)}",NaN]`, whole, 8 * 1024 * 1024);
    expect(result).toMatchObject({ code: 'output_not_json', message: 'The output of probe-tool is not JSON' });
    expect('details' in result && Object.keys(result.details)).toEqual(['stdout']);
  });
});

describe('output_mismatch', () => {
  it('has an entry for each issue with its path, and what was printed', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' }, s: { enum: ['a', 'b'] } },
      required: ['n'],
      additionalProperties: false,
    } as const;
    const declared = {
      report: { from: { pointer: '/r' }, schema },
      count: { from: { pointer: '/c' }, schema: { type: 'integer' } },
    };
    const printed = '{"r":{"s":"c","x/y":1},"c":"1"}';
    const result = await read(printed, declared as Record<string, Declared>);
    expect(result).toMatchObject({
      code: 'output_mismatch',
      message:
        'The output of probe-tool is not what its outputSchema says: /report/n is required (and 3 more in details)',
      details: {
        issues: [
          { path: '/report/n', message: 'is required' },
          { path: '/report/x~1y', message: 'is not a known property' },
          { path: '/report/s', message: 'must be one of "a", "b"' },
          { path: '/count', message: 'must be integer' },
        ],
        stdout: printed,
      },
    });
  });

  it.each(['/b', '/a/2', '/a/-', '/a/00', '/a/length', '/a/0/x', '/toString', '/a/-0'])(
    'names the required output for which stdout has nothing at %s',
    async (pointer) => {
      expect(await issuesOf('{"a":[1,2]}', { it: { from: { pointer } } })).toEqual([
        { path: '/it', message: `is missing: stdout has nothing at ${JSON.stringify(pointer)}` },
      ]);
    },
  );

  it.each([
    ['9007199254740992', 'is an integer beyond 2^53, which JSON does not carry exactly; print it as a string'],
    ['-12345678901234567890', 'is an integer beyond 2^53, which JSON does not carry exactly; print it as a string'],
    ['1e400', 'is a number that is too large; print it as a string'],
    ['"\\ud800"', 'has half a surrogate pair, which is no character; print the whole pair'],
  ])('is %s, which no client would get as it is', async (json, message) => {
    expect(await issuesOf(`{"a":[${json}]}`, { it: {} })).toEqual([{ path: '/it/a/0', message }]);
  });

  it.each([
    ['{"a":{"__proto__":{"x":1}}}', '/it/a/__proto__', 'is a key that JavaScript clients lose'],
    ['{"\\udc00":1}', '/it/\udc00', 'is a key with half a surrogate pair'],
  ])('is the key in %s', async (json, path, message) => {
    expect(await issuesOf(json, { it: {} })).toEqual([{ path, message: expect.stringContaining(message) }]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('is none of these in a part that no output takes, nor a large number that is written as one', async () => {
    const json = '{"n":1,"other":[9007199254740993,1e400,"\\ud800",{"__proto__":1}]}';
    expect(await read(json, { n: { from: { pointer: '/n' } } })).toMatchObject({ value: { n: 1 } });
    expect(await read('[6.02e23,1e300,9007199254740991,0.1]', { it: {} })).toMatchObject({
      text: '{"it":[6.02e+23,1e+300,9007199254740991,0.1]}',
    });
    expect(await read('{"constructor":{"prototype":1}}')).toMatchObject({
      text: '{"it":{"constructor":{"prototype":1}}}',
    });
  });

  it('is nesting beyond any that a client takes, without a stack overflow', async () => {
    expect(await issuesOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, { it: {} })).toEqual([
      { path: '', message: 'is nested deeper than 128 levels' },
    ]);
  });

  it('is more than a client can be sent', async () => {
    const text: Declared = { from: { format: 'text' } };
    const limitBytes = 16 * 1024 * 1024;
    const most = 'of a result, which has it as JSON and once more as text; at most 8388608 bytes fit, so print less';
    // Both have 14 bytes around the text, and the quotes of the JSON are escaped in the string.
    const longest = 'x'.repeat(4 * 1024 * 1024 - 14);
    expect(await read(longest, { text }, limitBytes)).toHaveProperty('value');
    expect(await issuesOf(`${longest}x`, { text }, limitBytes)).toEqual([
      { path: '', message: `takes 8388610 bytes ${most}` },
    ]);
    expect(await issuesOf('\0'.repeat(900_000), { text }, limitBytes)).toEqual([
      { path: '', message: `takes 11700028 bytes ${most}` },
    ]);
    expect(await issuesOf('x'.repeat(5 * 1024 * 1024), { text, again: text }, limitBytes)).toEqual([
      { path: '', message: `takes 10485769 characters ${most}` },
    ]);
  });

  it('is more values than are given, by the same part twice', async () => {
    const printed = JSON.stringify(Array(60_000).fill(1));
    expect(await issuesOf(printed, { a: {}, b: {} })).toEqual([
      { path: '', message: 'has 120003 values; at most 100000 are given, so print less' },
    ]);
  });

  it('has a bounded path for each issue, however long the keys are', async () => {
    const [issue] = (await issuesOf(`{"${'k'.repeat(100_000)}":1e400}`, { it: {} })) as { path: string }[];
    expect(issue?.path).toBe(`/it/${'k'.repeat(996)}…`);
  });

  it('has a bounded list of issues, however much is wrong', async () => {
    const schema = { type: 'array', items: { type: 'string' } } as const;
    const few = await read(JSON.stringify(Array(1000).fill(1)), { it: { schema } });
    expect(few).toMatchObject({ details: { unlisted: 950 } });
    const many = await read(JSON.stringify(Array(90_000).fill(1)), { it: { schema } });
    expect('details' in many && many.details.issues).toEqual([{ path: '/it/0', message: 'must be string' }]);
  });

  it('X11: of a text that was cut says so, and a text that may be anything keeps the mark', async () => {
    const cut = await read(
      'abcdef',
      { it: { from: { format: 'text' }, schema: { type: 'string', pattern: '^[a-z]+$' } } },
      3,
    );
    expect(cut).toMatchObject({
      code: 'output_mismatch',
      message: expect.stringMatching(/; it was cut after 3 bytes \(limits.outputBytes of the node\)$/),
    });
    expect(await read('abcdef', { it: { from: { format: 'text' } } }, 3)).toMatchObject({
      value: { it: 'abc\n[output cut at 3 bytes; 6 bytes in all]' },
    });
  });
});

it('The check is that of the definition, whatever was compiled before', async () => {
  const first = await read('1', { it: { schema: { type: 'integer' } } });
  const second = await read('1', { it: { schema: { type: 'string' } } });
  expect([Object.keys(first), Object.keys(second)]).toEqual([
    ['value', 'text'],
    ['code', 'message', 'details'],
  ]);
});
