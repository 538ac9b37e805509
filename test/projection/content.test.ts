import { describe, expect, it } from 'vitest';
import { project } from '../../src/projection/project.js';
import { registry, sampleNode, sampleTypes, typeIri, willingHost } from './sample-node.js';

const types = registry({
  ...sampleTypes,
  Png: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
  RawPng: { type: 'string', contentMediaType: 'image/png' },
  Svg: { type: 'string', contentMediaType: 'image/svg+xml' },
  Report: { type: 'string', contentMediaType: 'text/markdown', maxLength: 100 },
  Odd: { type: 'string', contentMediaType: 'png' },
  Quoted: { type: 'string', contentMediaType: 'text/plain', contentEncoding: 'quoted-printable' },
  NoString: { type: 'integer', contentMediaType: 'image/png' },
});

type Outputs = NonNullable<NonNullable<Parameters<typeof sampleNode>[0]>['outputs']>;
type From = NonNullable<Outputs[number]['from']>;

function projected(outputs: Outputs, fields: Parameters<typeof sampleNode>[0] = {}) {
  const tools = [sampleNode({ ...fields, outputs })];
  const options = { tiers: ['stable'] } as const;
  return project({ tools, types, verdicts: new Map(), options, host: willingHost(tools), problems: [] });
}

function entryOf(...args: Parameters<typeof projected>) {
  const { entries, problems } = projected(...args);
  expect(problems).toEqual([]);
  const [entry] = entries.values();
  if (entry === undefined) throw new Error('not projected');
  return entry;
}

const output = (name: string, type: string, from: From = { stdout: 'text' }) => ({ name, schema: typeIri(type), from });

describe('An output whose type has a media type', () => {
  it.each<[string, From, object]>([
    ['Png', { stdout: 'text' }, { kind: 'image', mediaType: 'image/png', form: 'base64' }],
    ['Png', { stdout: 'json', pointer: '/a' }, { kind: 'image', mediaType: 'image/png', form: 'base64' }],
    ['RawPng', { stdout: 'text' }, { kind: 'image', mediaType: 'image/png', form: 'bytes' }],
    ['Svg', { stdout: 'text' }, { kind: 'image', mediaType: 'image/svg+xml', form: 'text' }],
    ['Report', { stdout: 'text' }, { kind: 'resource', mediaType: 'text/markdown', form: 'text' }],
  ])('is content: %s from %o', (type, from, content) => {
    const { declaration, binding } = entryOf([output('it', type, from)]);
    expect(binding.outputs).toMatchObject([{ name: 'it', content }]);
    expect(declaration).not.toHaveProperty('outputSchema');
  });

  it('leaves the others without an outputSchema, and all but bytes are checked', () => {
    const { declaration, binding } = entryOf([
      output('count', 'Count', { stdout: 'json', pointer: '/n' }),
      { ...output('report', 'Report', { stdout: 'json', pointer: '/r' }), required: false },
      output('image', 'RawPng'),
    ]);
    expect(declaration).not.toHaveProperty('outputSchema');
    expect(binding).toMatchObject({
      outputs: [{ name: 'count' }, { name: 'report', content: {} }, { name: 'image', content: {} }],
      valueSchema: {
        properties: { count: { type: 'integer' }, report: { type: 'string', maxLength: 100 } },
        required: ['count'],
        additionalProperties: false,
      },
    });
    expect(Object.keys(Object(binding).valueSchema.properties)).toEqual(['count', 'report']);
  });

  it('is a value where it is no string, and prose without a "from"', () => {
    const value = entryOf([output('it', 'NoString')]);
    expect(value.declaration).toHaveProperty('outputSchema.properties.it.contentMediaType', 'image/png');
    expect(value.binding).not.toHaveProperty('valueSchema');
    const prose = entryOf([{ name: 'it', schema: typeIri('Png') }]);
    expect(prose.binding).not.toHaveProperty('outputs');
  });

  it('is what a function returns where the arm is one', () => {
    const invoke = { inProcess: { module: 'a.mjs', register: 'a' } };
    const { declaration, binding } = entryOf([output('it', 'Png', { result: true })], { invoke });
    expect(declaration).toHaveProperty('outputSchema.properties.it.contentMediaType', 'image/png');
    expect(binding).not.toHaveProperty('valueSchema');
  });

  it('is part of the definition: another media type, form or bound is another one', () => {
    const of = (type: string) => entryOf([output('it', type)]).declaration._meta['toolgraph/definition'];
    const digests = ['Png', 'RawPng', 'Svg', 'Report'].map(of);
    expect(new Set(digests).size).toBe(4);
    expect(of('Png')).toBe(digests[0]);
  });

  it.each([
    ['Odd', `the type Odd: "contentMediaType" is "png"; expected a media type, such as image/png`],
    ['Quoted', `the type Quoted: "contentEncoding" is "quoted-printable"; expected base64, or none`],
  ])('is a problem where what it is cannot be read: %s', (type, message) => {
    const { entries, problems } = projected([output('it', type)]);
    expect(entries.size).toBe(0);
    expect(problems).toMatchObject([
      {
        code: 'unportable-schema',
        message: `output "it": ${message}`,
        pointer: expect.stringMatching(/outputs\/0\/schema$/),
      },
    ]);
  });
});
