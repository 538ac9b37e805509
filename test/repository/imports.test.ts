import { describe, expect, it } from 'vitest';
import { importBreaches, layers } from './import-rules.js';
import { projectFile, sourceFiles } from './source-files.js';

const { dependencies } = JSON.parse(projectFile('package.json')) as { dependencies: Record<string, string> };
const known = new Set(Object.keys(dependencies));
const sources = sourceFiles('src', 'schemas', 'scripts');

describe('The rule of who may import what', () => {
  it('is kept by every file of src, schemas and scripts', () => {
    expect(importBreaches(sources, known)).toEqual([]);
  });

  it('has a file for every layer', () => {
    const files = [...sources.keys()];
    expect(layers.filter(({ path }) => !files.some((file) => file.startsWith(path)))).toEqual([]);
  });

  it.each([
    ['src/projection/x.ts', "import 'node:fs';", 'may not import node:fs'],
    ['src/projection/x.ts', "import { a } from '../store/lift.js';", 'may not import src/store/lift.ts'],
    ['src/projection/x.ts', "import { a } from '../patterns/verdict.js';", 'for types only'],
    ['src/projection/x.ts', "import { z } from 'zod';", 'may not import zod'],
    ['src/check/rules/x.ts', "import 'node:path';", 'may not import node:path'],
    [
      'src/mcp/pure.ts',
      "import { Server } from '@modelcontextprotocol/server';",
      'may not import @modelcontextprotocol/server',
    ],
    ['src/mcp/pure.ts', "import { a } from './server.js';", 'may import src/mcp/server.ts for types only'],
    ['src/index.ts', "export { a } from './mcp/stdio.js';", 'may not import src/mcp/stdio.ts'],
    ['src/cli/x.ts', "import type { Tool } from '@modelcontextprotocol/server';", 'only src/mcp/ may'],
    ['src/service.ts', "await import('n3');", 'only src/store/ may'],
    ['src/store/x.ts', "await import('jsonld');", 'only src/ingest/ may'],
    ['scripts/x.ts', "await import('jsonld');", 'only src/ingest/ may'],
    ['scripts/bench/x.ts', "import 'better-sqlite3';", 'only src/store/ may'],
    ['src/mcp/x.ts', "import '../cli/main.js';", 'may not import src/cli/main.ts'],
    ['src/service.ts', "export { a } from './mcp/pure.js';", 'may not import src/mcp/pure.ts'],
    ['src/patterns/x.ts', "import '../diagnostic.js';", 'may not import src/diagnostic.ts'],
    ['src/diagnostic.ts', "import 'node:fs';", 'may not import node:fs'],
    ['schemas/x.ts', "import '../src/diagnostic.js';", 'may not import src/diagnostic.ts'],
    ['src/store/x.ts', "import { a } from './a';", 'without its suffix .js'],
    ['src/invocation/x.ts', "import 'fast-check';", 'not under dependencies'],
    ['src/invocation/x.ts', 'await import(name);', 'whose name is computed'],
    ['src/invocation/module/worker.ts', 'await import(name);', 'whose name is computed'],
    ['src/mcp/x.ts', "import { Client } from '@modelcontextprotocol/sdk/client';", 'only src/invocation/ may'],
    ['src/patterns/x.ts', "createRequire(import.meta.url)('execa');", 'only src/invocation/ may'],
    ['lib/x.ts', '', 'no layer'],
  ])('finds the breach in %s: %s', (file, source, rule) => {
    const breaches = importBreaches(new Map([[file, `\n${source}`]]), known);
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toMatch(new RegExp(`^${file}:${source === '' ? 1 : 2}: `));
    expect(breaches[0]).toContain(rule);
  });

  it('allows a type where only the type is allowed', () => {
    const source = "import type { PatternVerdict } from '../patterns/verdict.js';";
    expect(importBreaches(new Map([['src/projection/x.ts', source]]), known)).toEqual([]);
  });
});
