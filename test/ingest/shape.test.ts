import { describe, expect, it } from 'vitest';
import { defaultContext } from '../../src/ingest/context.js';
import { checkTool } from '../../src/ingest/shape.js';
import { ingest, messages, places, tool } from './ingest-source.js';

describe('The shape of a Tool', () => {
  it('G2: an unknown key is told with its place and the key that was meant', async () => {
    const { invoke, ...rest } = tool();
    const document = await ingest('graph/tools/a.json', { ...rest, invok: invoke });
    expect(document.diagnostics).toMatchObject([
      {
        code: 'invalid-node',
        pointer: '/invoke',
        message: expect.stringContaining('invoke: required, but missing: expected an object'),
      },
      {
        code: 'invalid-node',
        pointer: '/invok',
        line: 36,
        column: 3,
        message: expect.stringMatching(/"invok".*did you mean "invoke"\?/),
      },
    ]);
    expect(document).toMatchObject({ quads: [], broken: ['urn:toolgraph:test:tool/readme-sync'] });
  });

  it.each([
    [
      'in a port',
      { io: { inputs: [{ name: 'a', schema: 'urn:s', requird: true }] } },
      '/io/inputs/0/requird',
      'required',
    ],
    [
      'in an arg',
      { io: { inputs: [{ name: 'a', schema: 'urn:s', arg: { flg: '--a' } }] } },
      '/io/inputs/0/arg',
      'flag',
    ],
    ['in a JSON literal', { requires: { runtme: ['bun'] } }, '/requires/runtme', 'runtime'],
    ['in invoke', { invoke: { shel: 'ls' } }, '/invoke/shel', 'shell'],
  ])('G2: an unknown key %s is told', async (_, changes, pointer, meant) => {
    const { diagnostics } = await ingest('graph/tools/a.json', tool(changes));
    expect(diagnostics).toMatchObject([{ code: 'invalid-node', pointer, message: expect.stringContaining(meant) }]);
    expect(diagnostics[0]?.line).toBeGreaterThan(1);
  });

  it.each([
    [{ title: 5 }, 'title: expected a string, found 5'],
    [{ title: null }, 'title: expected a string, found null'],
    [
      { id: 'Not An Id' },
      'id: expected lower-case letters, digits and "-", beginning with a letter, found "Not An Id"',
    ],
    [{ tier: 'beta' }, 'tier: expected one of "stable", "experimental", "deprecated", "internal", found "beta"'],
    [{ satisfies: [] }, 'satisfies: expected at least one skill, found []'],
    [{ satisfies: 'docs' }, 'satisfies: expected an array, found "docs"'],
    [{ title: '' }, 'title: expected at least 1 character, found ""'],
    [
      { requires: { os: ['x'.repeat(1025)] } },
      `requires.os[0]: expected at most 1024 characters, found "${'x'.repeat(59)}…`,
    ],
    [{ when: { exists: [] } }, 'when.exists: expected at least 1 item, found []'],
    [{ limits: { timeoutMs: 0 } }, 'limits.timeoutMs: expected a number of at least 1, found 0'],
    [{ limits: { timeoutMs: 1.5 } }, 'limits.timeoutMs: expected an integer, found 1.5'],
    [{ invoke: { container: { network: true } } }, 'invoke.container.image: required, but missing: expected a string'],
    [{ invoke: { manual: false } }, 'invoke.manual: expected true, found false'],
    [
      { io: { inputs: [{ name: 'a', schema: 'Slug' }] } },
      'io.inputs[0].schema: expected an absolute IRI, found "Slug"',
    ],
    [{ summary: 'again' }, 'summary: both "description" and its older name "summary" are given; keep "description"'],
    [{ remedies: [{ tool: 'a', none: 'b' }] }, 'remedies[0]: expected exactly one of "tool" and "none"'],
  ])('says what was expected and what was found in %j', (changes, message) => {
    expect(checkTool(tool(changes), defaultContext).map((issue) => issue.message)).toEqual([message]);
  });

  it.each([
    ['title', 'titel', 'a string'],
    ['satisfies', 'satisfeis', 'an array'],
  ])('says that a required field is missing, and which key was meant for it: %s', (field, mistyped, kind) => {
    const { [field]: value, ...rest } = tool();
    const found = checkTool({ ...rest, [mistyped]: value }, defaultContext).map(({ message }) => message);
    expect(found).toEqual([
      `${field}: required, but missing: expected ${kind}`,
      `unknown key "${mistyped}"; did you mean "${field}"? (a key of your own must be mapped in the document's @context)`,
    ]);
  });

  it('gives a rule across fields the place of the field to change', async () => {
    const port = (name: string) => ({ name, schema: 'urn:s', arg: { positional: 0 } });
    const document = await ingest('graph/tools/a.json', tool({ io: { inputs: [port('a'), port('b')] } }));
    expect(places(document)).toEqual([['invalid-node', 21, 25]]);
    expect(messages(document)).toEqual([expect.stringContaining('two inputs have position 0')]);
  });

  it('lets a Tool pass whose only arm is mcp: that is an omission, not a problem', () => {
    expect(checkTool(tool({ invoke: { mcp: { tool: 'x' } } }), defaultContext)).toEqual([]);
  });
});
