import fc from 'fast-check';
import type { Arg } from '../../schemas/port.js';
import type { ToolDocument } from '../../schemas/tool.js';

const awkward = [
  '"',
  '"a"@en',
  'http://looks.like/an-iri',
  '_:b0',
  '@id',
  '\\',
  'a\r\n\tb',
  '1e-7',
  '#x',
  '<',
  `${'long '.repeat(20)}`,
];
const text = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.constantFrom(...awkward));
const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const portName = fc.stringMatching(/^[A-Za-z0-9_.-]{1,10}$/);
const iri = fc.constantFrom('https://example.org/t#/$defs/Slug', 'urn:x:y', 'https://example.org/ä?q=1#f');
const reference = fc.oneof(slug, iri);
const reserved = /^(?:__proto__|constructor|prototype)$/;
const key = fc.string({ maxLength: 8 }).filter((name) => !reserved.test(name));
/** JSON has no -0, so what has gone through it is what a file can hold. */
const json = fc
  .oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(1e-7), fc.constant([1e21, 0.1]))
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll(/__proto__|constructor|prototype/g, 'x')) as unknown);

const inputs = fc
  .uniqueArray(
    fc.record(
      {
        name: portName,
        schema: iri,
        description: text,
        required: fc.boolean(),
        repeated: fc.boolean(),
        way: fc.constantFrom('none', 'flag', 'joined', 'positional', 'stdin'),
      },
      { requiredKeys: ['name', 'schema', 'way'] },
    ),
    { maxLength: 6, selector: ({ name }) => name },
  )
  .map((drafts) => {
    const placed = drafts.filter(({ way }) => way === 'positional');
    const order = [...placed.filter(({ required }) => required), ...placed.filter(({ required }) => !required)];
    const stdin = drafts.find(({ way }) => way === 'stdin');
    return drafts.map(({ way, repeated, ...rest }, i) => {
      const draft = drafts[i];
      const position = draft === undefined ? -1 : order.indexOf(draft);
      const single = way === 'stdin' || (way === 'positional' && position !== order.length - 1);
      const arg: Arg | undefined =
        way === 'flag'
          ? { flag: `--f${i}` }
          : way === 'joined'
            ? { flag: `-j${i}`, joined: true }
            : way === 'positional'
              ? { positional: position }
              : draft === stdin
                ? { stdin: true }
                : undefined;
      return {
        ...rest,
        ...(repeated === undefined || single ? {} : { repeated }),
        ...(arg === undefined ? {} : { arg }),
      };
    });
  });

const outputs = fc.uniqueArray(
  fc.record(
    {
      name: portName,
      schema: iri,
      description: text,
      required: fc.boolean(),
      from: fc.constantFrom(
        { stdout: 'json' as const, pointer: '/a' },
        { stdout: 'text' as const },
        { result: true as const },
      ),
    },
    { requiredKeys: ['name', 'schema'] },
  ),
  { maxLength: 4, selector: ({ name }) => name },
);

const remedy = fc.oneof(
  fc.record({ host: text, error: text, tool: reference }, { requiredKeys: ['tool'] }),
  fc.record({ host: text, none: text }, { requiredKeys: ['none'] }),
);

/** Tool documents that are valid, in the one spelling: `description` and `effect`. Sets are not empty where they are optional. */
export const toolDocument: fc.Arbitrary<ToolDocument> = fc
  .record(
    {
      id: slug,
      title: text,
      description: text,
      version: text,
      tier: fc.constantFrom('stable' as const, 'experimental' as const, 'internal' as const),
      effect: fc.constantFrom('read' as const, 'write' as const, 'destructive' as const),
      idempotent: fc.boolean(),
      openWorld: fc.boolean(),
      requiresConfirmation: fc.boolean(),
      install: fc.constantFrom({}, { cli: 'npm i x', none: false }),
      invoke: fc.constantFrom<ToolDocument['invoke'][]>(
        { shell: 'a "b c"' },
        {
          container: { image: 'x:1', command: ['a', 'b'], mounts: [{ source: 's', target: '/t' }] },
          manual: true as const,
        },
        { mcp: { tool: 'x' } },
        { inProcess: { module: 'src/x.ts', register: 'y' } },
      ),
      io: fc.record({ inputs, outputs }, { requiredKeys: [] }),
      satisfies: fc.uniqueArray(reference, { minLength: 1, maxLength: 4 }),
      requires: fc.constantFrom<NonNullable<ToolDocument['requires']>[]>(
        {},
        { os: ['linux'], runtime: ['node', 'bun'], network: true, env: ['GH_TOKEN'] },
      ),
      when: fc.constant<NonNullable<ToolDocument['when']>>({ exists: ['b.json', 'a.json'] }),
      limits: fc.constantFrom({}, { timeoutMs: 1, outputBytes: 1024 }),
      selection: fc.record({ when: text, limits: text, cost: text }, { requiredKeys: [] }),
      alternativeTo: fc.uniqueArray(reference, { minLength: 1, maxLength: 3 }),
      remedies: fc.array(remedy, { minLength: 1, maxLength: 4 }),
      maintains: fc.array(
        fc.record({ source: text, artefact: text, format: text }, { requiredKeys: ['source', 'artefact'] }),
        { minLength: 1, maxLength: 3 },
      ),
      renders: fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
      subprocesses: fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
      downstream: fc.dictionary(key, json, { maxKeys: 3 }),
      deprecated: fc.record({ reason: text, replacedBy: reference }, { requiredKeys: [] }),
    },
    { requiredKeys: ['id', 'title', 'description', 'invoke', 'io', 'satisfies'] },
  )
  .map((tool) => (tool.deprecated === undefined ? tool : { ...tool, tier: 'deprecated' as const }));
