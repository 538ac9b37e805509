import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../schemas/declaration.js';
import { SkillSchema } from '../../schemas/skill.js';
import { ToolDocumentSchema } from '../../schemas/tool.js';
import { ToolSchema } from '../../schemas/tool-rules.js';
import { ViewSchema, viewRules } from '../../schemas/view.js';
import { renderNodes } from '../../scripts/node-page.js';
import { nodeRules, sampleSkill, sampleTool, sampleView } from '../../scripts/node-samples.js';
import { schemaFields } from '../../scripts/schema-fields.js';

const schemas = { tool: of(ToolDocumentSchema), skill: of(SkillSchema), view: of(ViewSchema) };
const page = renderNodes(schemas);

function of(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
}

/** The cells of the rows below a heading, or of all. */
function rows(heading?: string): string[][] {
  const sections = page.split(/^## /m);
  const chosen = heading === undefined ? sections : sections.filter((text) => text.startsWith(`${heading}\n`));
  const lines = chosen.join('').match(/^\| `.*\|$/gm) ?? [];
  return lines.map((line) => line.slice(2, -2).split(/ (?<!\\)\| /));
}

describe('docs/node.md', () => {
  it('has one row for each key of a Tool, nested ones too', () => {
    const parts = { invoke: 'How it is run', 'io.inputs[]': 'Inputs', 'io.outputs[]': 'Outputs' };
    const found = ['Every node', 'Tool'].flatMap((heading) => rows(heading).map(([key]) => key));
    const inside = Object.entries(parts).flatMap(([start, heading]) =>
      rows(heading).map(([key]) => `\`${start}.${key?.slice(1)}`),
    );
    const keys = schemaFields(schemas.tool).map(({ path }) => `\`${path}\``);
    expect(keys).toEqual(expect.arrayContaining(['`io.inputs[].arg.flag`', '`invoke.container.mounts[].source`']));
    expect([...found, ...inside].sort()).toEqual(keys.sort());
  });

  it('says of each key what it means, with an example', () => {
    for (const { path, schema } of Object.values(schemas).flatMap((schema) => schemaFields(schema))) {
      expect([path, schema.description]).toEqual([path, expect.stringMatching(/^[A-Z].*[^.]$/)]);
    }
    expect(rows().filter((cells) => cells[4] === '')).toEqual([]);
  });

  it('says what is required, by default, and required in one form only', () => {
    const defaults = new Map(rows('Inputs').map(([key, , stated]) => [key, stated]));
    expect(defaults.get('`name`')).toBe('required');
    expect(defaults.get('`required`')).toBe('`false`');
    expect(defaults.get('`arg.flag`')).toBe('required in this form');
    expect(defaults.get('`arg.joined`')).toBe('');
  });

  it('names the property of a key in the graph, and none inside a JSON literal', () => {
    const properties = new Map(rows('Tool').map((cells) => [cells[0], cells[5]]));
    expect(properties.get('`title`')).toBe('`dcterms:title`');
    expect(properties.get('`summary`')).toBe('`dcterms:description`');
    expect(properties.get('`remedies[].error`')).toBe('`tg:error`');
    expect(properties.get('`io.inputs`')).toBe('`tg:inputs`');
    expect(properties.get('`requires`')).toBe('`tg:requires`');
    expect(properties.get('`requires.os`')).toBe('');
    expect(rows('Inputs').find(([key]) => key === '`arg.positional`')?.[5]).toBe('`tg:positional`');
  });

  it('shows nodes that are valid', () => {
    expect(ToolSchema.safeParse(sampleTool).error).toBeUndefined();
    expect(SkillSchema.safeParse(sampleSkill).error).toBeUndefined();
    expect(viewRules(ViewSchema.parse(sampleView))).toEqual([]);
  });

  it.each(nodeRules)('states a rule that is one: $what', ({ breaks }) => {
    expect(ToolDocumentSchema.safeParse({ ...sampleTool, ...breaks }).success).toBe(true);
    expect(ToolSchema.safeParse({ ...sampleTool, ...breaks }).error?.issues).toHaveLength(1);
  });
});
