import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { contentOutput } from '../../src/invocation/content-output.js';
import { CappedOutput } from '../../src/invocation/output.js';
import type { OutputContent, StdoutOutput } from '../../src/projection/generation.js';
import { shellEntry } from './shell-entry.js';

interface Declared extends Partial<Omit<StdoutOutput, 'name'>> {
  readonly schema?: JsonSchema;
}

const png: OutputContent = { kind: 'image', mediaType: 'image/png', form: 'bytes' };
const encodedPng: OutputContent = { ...png, form: 'base64' };
const pdf: OutputContent = { kind: 'resource', mediaType: 'application/pdf', form: 'bytes' };
const markdown: OutputContent = { kind: 'resource', mediaType: 'text/markdown', form: 'text' };

/** Reads bytes that a process wrote as the outputs declared: each is all of stdout as text, unless it says otherwise. */
async function read(written: string | Uint8Array, declared: Readonly<Record<string, Declared>>, limitBytes = 1 << 20) {
  const captured = new CappedOutput(limitBytes);
  captured.write(Buffer.from(written));
  const outputs = Object.entries(declared).map(([name, { schema: _, ...given }]): StdoutOutput => {
    return { name, format: 'text', required: true, ...given };
  });
  const values = outputs.filter(({ content }) => content?.form !== 'bytes');
  const valueSchema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(values.map(({ name }) => [name, declared[name]?.schema ?? { type: 'string' }])),
    required: values.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  };
  const stdout = { ...captured.read(), bytes: captured.bytes() };
  return contentOutput(shellEntry({}), { outputs, valueSchema }, stdout, limitBytes);
}

async function blocksOf(...args: Parameters<typeof read>) {
  const result = await read(...args);
  if (!('content' in result)) throw new Error(result.message);
  return result.content;
}

const uri = (name: string) => `urn:toolgraph:test:tool/probe-tool/output/${name}`;

describe('An output that is content', () => {
  it('is stdout byte for byte, whatever bytes these are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const data = Buffer.from(bytes).toString('base64');
        expect(await blocksOf(bytes, { it: { content: png } })).toEqual([
          { type: 'image', data, mimeType: 'image/png' },
        ]);
        expect(await blocksOf(bytes, { it: { content: pdf } })).toEqual([
          { type: 'resource', resource: { uri: uri('it'), mimeType: 'application/pdf', blob: data } },
        ]);
      }),
    );
  });

  it('is what stdout has in base64, in lines as base64 writes it', async () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, i) => i % 256));
    const lines = bytes.toString('base64').replace(/.{76}/g, '$&\n');
    const data = bytes.toString('base64');
    expect(await blocksOf(`${lines}\n`, { it: { content: encodedPng } })).toEqual([
      { type: 'image', data, mimeType: 'image/png' },
    ]);
    const audio: OutputContent = { kind: 'audio', mediaType: 'audio/wav', form: 'base64' };
    const json = JSON.stringify({ sound: data });
    expect(await blocksOf(json, { it: { format: 'json', pointer: '/sound', content: audio } })).toEqual([
      { type: 'audio', data, mimeType: 'audio/wav' },
    ]);
  });

  it('is a resource with its text, and with its bytes where they are no UTF-8', async () => {
    const resource = { uri: uri('it'), mimeType: 'text/markdown' };
    expect(await blocksOf('\n# Größe\n', { it: { content: markdown } })).toEqual([
      { type: 'resource', resource: { ...resource, text: '# Größe' } },
    ]);
    expect(await blocksOf('', { it: { content: markdown } })).toEqual([
      { type: 'resource', resource: { ...resource, text: '' } },
    ]);
    expect(await blocksOf(Buffer.from('Gr\xf6\xdfe', 'latin1'), { it: { content: markdown } })).toEqual([
      { type: 'resource', resource: { ...resource, blob: Buffer.from('Gr\xf6\xdfe', 'latin1').toString('base64') } },
    ]);
    const encoded = Buffer.from('# Größe').toString('base64');
    expect(await blocksOf(encoded, { it: { content: { ...markdown, form: 'base64' } } })).toEqual([
      { type: 'resource', resource: { ...resource, text: '# Größe' } },
    ]);
  });

  it('is an image with the bytes of its text where that is one', async () => {
    const svg: OutputContent = { kind: 'image', mediaType: 'image/svg+xml', form: 'text' };
    expect(await blocksOf('<svg/>\n', { it: { content: svg } })).toEqual([
      { type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/svg+xml' },
    ]);
  });

  it('stands beside others in their order: texts as they are, values as JSON, what is not there left out', async () => {
    const at = (pointer: string, more: Declared = {}): Declared => ({ format: 'json', pointer, ...more });
    const json = JSON.stringify({ say: 'two\nlines', image: 'AAEC', count: 3, report: '# R' });
    const result = await read(json, {
      said: at('/say'),
      image: at('/image', { content: encodedPng }),
      count: at('/count', { schema: { type: 'integer' } }),
      more: at('/none', { content: encodedPng, required: false }),
      report: at('/report', { content: markdown }),
    });
    expect(result).toEqual({
      content: [
        { type: 'text', text: 'two\nlines' },
        { type: 'image', data: 'AAEC', mimeType: 'image/png' },
        { type: 'text', text: '3' },
        { type: 'resource', resource: { uri: uri('report'), mimeType: 'text/markdown', text: '# R' } },
      ],
      text: 'two\nlines\n3',
    });
  });

  it('has the IRI of the output as its URI, in ASCII', async () => {
    const entry = { ...shellEntry({}), iri: 'urn:toolgraph:größe:tool/a' };
    const valueSchema = { type: 'object', properties: {} } as const;
    const outputs: StdoutOutput[] = [{ name: 'it', format: 'text', required: true, content: pdf }];
    const stdout = { text: 'x', truncated: false, bytes: Buffer.from('x') };
    expect(await contentOutput(entry, { outputs, valueSchema }, stdout, 10)).toMatchObject({
      content: [{ resource: { uri: 'urn:toolgraph:gr%C3%B6%C3%9Fe:tool/a/output/it' } }],
    });
  });
});

describe('What is no such content', () => {
  it.each<[string, string | Uint8Array, Declared, string]>([
    ['is not base64', 'no base64!', { content: encodedPng }, 'is not base64 (RFC 4648), as its contentEncoding says'],
    ['ends too early', 'AAE', { content: encodedPng }, 'is not base64 (RFC 4648), as its contentEncoding says'],
    ['is an empty image', '', { content: png }, 'is empty; expected image/png'],
    ['is an empty image in base64', '\n', { content: encodedPng }, 'is empty; expected image/png'],
    [
      'is none of the values of its type',
      'AAEC',
      { content: encodedPng, schema: { type: 'string', maxLength: 2 } },
      'must NOT have more than 2 characters',
    ],
    ['is no string', '{"a":1}', { format: 'json', pointer: '/a', content: markdown }, 'must be string'],
    [
      'is not there',
      '{}',
      { format: 'json', pointer: '/a', content: markdown },
      'is missing: stdout has nothing at "/a"',
    ],
  ])('%s: output_mismatch', async (_, written, declared, message) => {
    expect(await read(written, { it: declared })).toMatchObject({
      code: 'output_mismatch',
      message: `The output of probe-tool is not what the types of its outputs say: /it ${message}`,
      details: { issues: [{ path: '/it', message }] },
    });
  });

  it('is no JSON where it has to be', async () => {
    const result = await read('no', { it: { format: 'json', pointer: '/a', content: markdown } });
    expect(result).toMatchObject({ code: 'output_not_json', details: { line: 1, column: 2, stdout: 'no' } });
  });

  it('says nothing of bytes that are no text', async () => {
    const result = await read(Buffer.from([0xff, 0xd8]), { it: { content: encodedPng } });
    expect(result).toMatchObject({ code: 'output_mismatch' });
    expect(result).not.toHaveProperty('details.stdout');
  });

  it.each([png, encodedPng, pdf])('is cut at the limit, where a part of it is nothing: %o', async (content) => {
    const message = 'was cut after 8 bytes; print less, or raise limits.outputBytes of the node';
    expect(await read('AAECAAECAAEC', { it: { content } }, 8)).toMatchObject({ details: { issues: [{ message }] } });
  });

  it('is not a text that is cut: its beginning is given, with the mark', async () => {
    expect(await blocksOf('# one two', { it: { content: markdown } }, 5)).toMatchObject([
      { resource: { text: '# one\n[output cut at 5 bytes; 9 bytes in all]' } },
    ]);
  });

  it('is more than a result may have, in base64 as it is sent', async () => {
    const most = (8 * 1024 * 1024 * 3) / 4;
    const large = 1 << 24;
    expect((await blocksOf(Buffer.alloc(most), { it: { content: png } }, large)).length).toBe(1);
    const message = 'takes 8388612 bytes of a result, where bytes are base64; at most 8388608 bytes fit, so print less';
    expect(await read(Buffer.alloc(most + 1), { it: { content: png } }, large)).toMatchObject({
      code: 'output_mismatch',
      details: { issues: [{ path: '', message }] },
    });
  });
});
