import { describe, expect, it } from 'vitest';
import { mappedTools } from './mapped-tools.js';
import { type Reported, reported, writeMapped } from './served-instances.js';

async function mapped(config?: Record<string, unknown>): Promise<Reported> {
  return await reported((await writeMapped(config)).root);
}

describe('The instance that the clients read', () => {
  it('is projected whole: a tool for every node, no omission, no problem', async () => {
    const { tools, omissions, problems } = await mapped();
    expect({ omissions, problems }).toEqual({ omissions: [], problems: [] });
    expect(tools).toHaveLength(mappedTools.length);
  });

  it('P1: has a name of 64 characters, cut ones, and prefixed ones', async () => {
    const names = (await mapped()).tools.map(({ name }) => name);
    const longest = names.filter((name) => name.length === 64);
    expect(longest).toHaveLength(3);
    expect(longest.filter((name) => /_[0-9a-f]{8}$/.test(name))).toHaveLength(2);
    const prefixed = (await mapped({ prefix: 'harness9' })).tools.map(({ name }) => name);
    expect(prefixed.every((name) => name.startsWith('harness9_') && name.length <= 64)).toBe(true);
  });

  it('P2, P3, P13, P15: has titles left out and kept, text of many scripts and lines, and both banners', async () => {
    const { tools } = await mapped();
    const find = (name: string) => tools.find((tool) => tool.name === name);
    expect(find('same_title')).not.toHaveProperty('title');
    expect(find('other_scripts')).toMatchObject({
      title: 'Überschrift 見出し',
      description: expect.stringContaining('\n\tand 日本語'),
    });
    expect(find('retired')?.description).toBe('[DEPRECATED — use prints — 🙂] Does retired');
    expect(find('retired_asks')?.description).toMatch(/^\[DEPRECATED\] Requires confirmation: /);
    expect(find('asks_first')?.inputSchema).toMatchObject({ required: ['word', 'user_confirmed'] });
  });

  it('P4, P5, P8, P18: has schemas of every kind, inlined, and takes a hundred inputs and none', async () => {
    const { tools } = await mapped();
    const properties = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    expect(properties('prints')).toMatchObject({
      place: { type: 'string', description: 'Wins over the type' },
      codes: { type: 'array', items: { pattern: '^[A-Z]{2}-[0-9]{1,6}$', minLength: 4 } },
      level: { type: 'string', enum: ['low', 'middle', 'hög'] },
      percent: { type: 'integer', minimum: 0, maximum: 100 },
      words: { type: 'array', minItems: 1 },
    });
    expect(properties('prints')).not.toHaveProperty('unreached');
    expect(properties('takes_route')).toMatchObject({
      value: { items: { properties: { inside: { properties: { share: { type: 'number' } } } } } },
    });
    expect(Object.keys(properties('takes_hundred'))).toHaveLength(100);
    expect(properties('takes_nothing')).toEqual({});
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });

  it('P6, P14: has outputs that are read and such that are prose, and hints of each kind', async () => {
    const { tools } = await mapped();
    const find = (name: string) => tools.find((tool) => tool.name === name);
    expect(find('gives_report')).toMatchObject({
      outputSchema: {
        properties: {
          route: { type: 'array', description: 'Wins over the type' },
          level: { type: 'string', enum: ['low', 'middle', 'hög'] },
        },
        required: ['route', 'whole', 'printed'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, idempotentHint: true },
    });
    expect(find('prints')?.annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
    expect(find('gives_text')?.annotations).toEqual({ readOnlyHint: false, destructiveHint: false });
    expect(find('fails')?.annotations).toEqual({ destructiveHint: true });
    expect(find('same_title')).not.toHaveProperty('annotations');
    expect(find('describes_prose')).not.toHaveProperty('outputSchema');
  });
});
