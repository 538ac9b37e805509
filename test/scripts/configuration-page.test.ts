import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigSchema } from '../../schemas/config.js';
import type { JsonSchema } from '../../schemas/declaration.js';
import { renderConfiguration } from '../../scripts/configuration-page.js';
import { schemaFields } from '../../scripts/schema-fields.js';
import { readConfig } from '../../src/instance/config.js';

const schema = z.toJSONSchema(ConfigSchema, { io: 'input' }) as JsonSchema;
const fields = schemaFields(schema);
const rows = renderConfiguration(schema)
  .split('\n')
  .filter((line) => line.startsWith('| `'));

describe('docs/configuration.md', () => {
  it('has a row for every field, nested ones too', () => {
    const paths = rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1]);
    const first = Object.keys(ConfigSchema.shape);
    expect(paths.filter((path) => !/[.[*]/.test(path ?? ''))).toEqual(first);
    expect(paths).toEqual(
      expect.arrayContaining(['limits.documentBytes', 'folders[].kind', 'include[].prefix', 'rules.*.severity']),
    );
  });

  it.each(fields)('says what $path does, with an example that is valid', ({ schema: field }) => {
    expect(field.description).toMatch(/^[A-Z].*[^.]$/);
    const validate = new Ajv2020({ strict: false }).compile(field);
    for (const value of [...(field.examples as unknown[]), ...(field.default === undefined ? [] : [field.default])]) {
      expect([value, validate(value), validate.errors]).toEqual([value, true, null]);
    }
    expect(field.examples).toHaveLength(1);
  });

  it('has examples that the config takes together', () => {
    const config = fields
      .filter(({ path }) => !/[.[*]/.test(path))
      .map(({ path, schema: field }) => [path, (field.examples as unknown[])[0]]);
    expect(ConfigSchema.safeParse(Object.fromEntries(config)).error).toBeUndefined();
  });

  it('states the defaults that hold without a config', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgraph-defaults-'));
    const config = readConfig(folder).config as unknown as Record<string, unknown>;
    rmSync(folder, { recursive: true });
    const stated = fields.filter(({ schema: field }) => field.default !== undefined);
    expect(stated.length).toBeGreaterThan(10);
    for (const { path, schema: field } of stated) {
      const [first = '', second] = path.split('.');
      // Absent as a whole without a config; who serves over HTTP fills it in, and test/e2e/http.test.ts listens there.
      if (first === 'http' && config.http === undefined) continue;
      const found = second === undefined ? config[first] : (config[first] as Record<string, unknown>)[second];
      expect([path, found instanceof Map ? Object.fromEntries(found) : found]).toEqual([path, field.default]);
    }
  });
});
