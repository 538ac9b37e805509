import { describe, expect, it } from 'vitest';
import { defaultContext } from '../../src/ingest/context.js';
import { prepareTool } from '../../src/ingest/prepare.js';
import { base, tool } from './ingest-source.js';

const iri = `${base}tool/readme-sync`;
const prepare = (changes: Record<string, unknown>) => prepareTool(tool(changes), iri, defaultContext, base);

describe('prepareTool', () => {
  it('writes bare names as IRIs and leaves absolute ones', () => {
    const { node, issues } = prepare({
      satisfies: ['docs', 'https://example.org/skill'],
      alternativeTo: ['other'],
      remedies: [{ tool: 'third', host: 'h' }, { none: 'no' }],
      tier: 'deprecated',
      deprecated: { reason: 'r', replacedBy: 'new' },
    });
    expect(issues).toEqual([]);
    expect(node).toMatchObject({
      '@id': iri,
      '@type': 'Tool',
      satisfies: [`${base}skill/docs`, 'https://example.org/skill'],
      alternativeTo: [`${base}tool/other`],
      remedies: [{ tool: `${base}tool/third`, host: 'h' }, { none: 'no' }],
      deprecated: { reason: 'r', replacedBy: `${base}tool/new` },
    });
  });

  it('writes summary and type in the one spelling and drops $schema', () => {
    const { description, ...rest } = tool({ $schema: 'x', summary: 'S', type: 'write' });
    const { node } = prepareTool(rest, iri, defaultContext, base);
    expect(node).toMatchObject({ description: 'S', effect: 'write' });
    expect(Object.keys(node)).not.toEqual(expect.arrayContaining(['summary']));
    expect(node).not.toHaveProperty('type');
    expect(node).not.toHaveProperty('$schema');
    expect(description).toBeDefined();
  });

  it.each([
    [{ satisfies: ['../other'] }, ['satisfies', 0]],
    [{ alternativeTo: ['a', '#b'] }, ['alternativeTo', 1]],
    [{ remedies: [{ tool: 'a/b' }] }, ['remedies', 0, 'tool']],
    [{ tier: 'deprecated', deprecated: { replacedBy: 'ex ample' } }, ['deprecated', 'replacedBy']],
  ])('G3: refuses the relative reference in %j', (changes, path) => {
    expect(prepare(changes).issues).toEqual([{ path, message: expect.stringMatching(/or an absolute IRI, found/) }]);
  });

  it('does not change its input', () => {
    const input = tool({ remedies: [{ tool: 'third' }], tier: 'deprecated', deprecated: { replacedBy: 'new' } });
    const before = structuredClone(input);
    prepareTool(input, iri, defaultContext, base);
    expect(input).toEqual(before);
  });
});
