import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { TypeDocumentSchema } from '../../schemas/type-document.js';
import { argvSafeTypes, builtinTypeNodes, builtinTypes, builtinTypesId, provedPatterns } from '../../schemas/types.js';
import { analysePatterns } from '../../src/patterns/analyse.js';
import { proveArgv } from '../../src/patterns/argv-proof.js';
import { accepted, refused } from './type-samples.js';

const defs: Readonly<Record<string, JsonSchema>> = builtinTypes.$defs;
const samples: Readonly<Record<string, readonly unknown[] | undefined>> = accepted;
const safe = new Set(argvSafeTypes);
const patterns = Object.entries(defs).flatMap(([name, { pattern }]) =>
  typeof pattern === 'string' ? [{ name, pattern }] : [],
);
const safePatterns = patterns.filter(({ name }) => safe.has(name));

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);
const validators = new Map(Object.entries(defs).map(([name, schema]) => [name, ajv.compile(schema)]));

describe('The built-in types', () => {
  it('are one valid type document, with an IRI for each type', () => {
    expect(TypeDocumentSchema.safeParse(builtinTypes).success).toBe(true);
    expect(builtinTypeNodes.map(({ iri }) => iri)).toEqual(
      Object.keys(defs).map((name) => `${builtinTypesId}#/$defs/${name}`),
    );
  });

  it.each(Object.entries(defs))('say to the model what a value is, and have one type: %s', (_name, schema) => {
    expect(schema.title).toMatch(/^\S/);
    expect(schema.description).toMatch(/^\S.{5,}[^.]$/u);
    expect(typeof schema.type).toBe('string');
  });

  it.each(Object.entries(defs))('accept their examples: %s', (name, schema) => {
    const examples = Array.isArray(schema.examples) ? schema.examples : [];
    const values = [...examples, ...(samples[name] ?? [])];
    expect(values).not.toEqual([]);
    expect(values.filter((value) => validators.get(name)?.(value) !== true)).toEqual([]);
  });

  it.each(Object.entries(refused))('refuse near misses: %s', (name, values) => {
    expect(values.filter((value) => validators.get(name)?.(value) !== false)).toEqual([]);
  });
});

describe('A built-in type that claims to be safe in argv', () => {
  it('is a boolean, a number, or a string with a pattern', () => {
    const shape = (name: string): unknown => (defs[name]?.type === 'string' ? defs[name]?.pattern : defs[name]?.type);
    expect(argvSafeTypes.filter((name) => typeof shape(name) !== 'string' || shape(name) === 'object')).toEqual([]);
  });

  it('has its pattern in the list of those that are proved', () => {
    expect(provedPatterns).toEqual(safePatterns.map(({ pattern }) => pattern));
  });

  it.each(safePatterns)('is proved so: $name', async ({ pattern }) => {
    expect(await proveArgv(pattern)).toEqual({ kind: 'safe' });
  });

  it.each(safePatterns)('has no random value that is shell-active or begins with "-": $name', ({ pattern }) => {
    const dangerous = /^-|[\p{Cc} "'`$\\|&;<>(){}[\]*?!#~]/u;
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(pattern, 'u')), (value) => !dangerous.test(value)),
      { numRuns: 300 },
    );
  });
});

describe('The patterns of the built-in types', () => {
  it('are unsafe in argv where the type does not claim to be safe', async () => {
    const unclaimed = patterns.filter(({ name }) => !safe.has(name));
    expect(unclaimed.map(({ name }) => name)).toEqual(['Line', 'Iri']);
    for (const { pattern } of unclaimed) expect((await proveArgv(pattern)).kind).toBe('unsafe');
  });

  it('take linear time, by analysis, or because they are anchored and nothing in them repeats without end', async () => {
    const verdicts = await analysePatterns(
      patterns.map(({ pattern }) => pattern),
      { timeoutMs: 60_000 },
    );
    const others = patterns.filter(({ pattern }) => verdicts.get(pattern)?.time !== 'linear');
    expect(others.filter(({ pattern }) => !/^\^(?:\[[^\]]+\]\{[0-9]+(?:,[0-9]+)?\}|-)+\$$/.test(pattern))).toEqual([]);
  }, 300_000);

  it('have no lookaround, backreference or Unicode property, so that a host in any language compiles them', () => {
    expect(patterns.filter(({ pattern }) => /\(\?[=!<]|\\[1-9pPk]/.test(pattern))).toEqual([]);
  });
});
