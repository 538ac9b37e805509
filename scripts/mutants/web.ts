import type { Mutant } from '../mutants-table.js';

/** Faults of the web beside MCP: docs/web.md. */
export const webMutants: readonly Mutant[] = [
  {
    id: 'sparql dataset',
    file: 'src/store/query/prepare-query.ts',
    find: 'const dataset = asked === undefined ? datasetOf(query) : checked(asked);',
    replace: 'const dataset = datasetOf(query) ?? asked;',
    test: 'test/mcp/http/web/sparql.test.ts',
    name: 'in place of that of the query',
  },
  {
    id: 'accept',
    file: 'src/mcp/http/web/media-type.ts',
    find: 'if (own.rank === 0 || own.q === 0) continue;',
    replace: 'if (own.rank === 0) continue;',
    test: 'test/mcp/http/web/sparql.test.ts',
    name: 'The type of an answer',
  },
  {
    id: 'graph tag',
    file: 'src/mcp/http/web/graph.ts',
    find: 'function headersOf({ generation, digest }: GraphSnapshot,',
    replace: 'function headersOf({ generation, generation: { digest } }: GraphSnapshot,',
    test: 'test/mcp/http/web/graph.test.ts',
    name: 'after a change that no client of MCP is told',
  },
  {
    id: 'graph moment',
    file: 'src/store/export-worker.ts',
    find: "db.exec('BEGIN');",
    replace: "db.exec('SELECT 1');",
    test: 'test/mcp/http/web/graph.test.ts',
    name: 'is that of one moment',
  },
  {
    id: 'metrics P15',
    file: 'src/mcp/http/web/service-metrics.ts',
    find: 'if (tool === otherTool || entries.has(tool)) continue;',
    replace: 'if (entries.size >= 0) continue;',
    test: 'test/mcp/http/web/routes.test.ts',
    name: 'forgets the counts of a tool that is not served any more',
  },
  {
    id: 'broken off',
    file: 'src/mcp/http/web/body-text.ts',
    find: 'if (!breakOff(c)) throw error;',
    replace: 'if (c !== undefined || !breakOff(c)) throw error;',
    test: 'test/mcp/http/listen.test.ts',
    name: 'broken off, without a stack on stderr',
  },
  {
    id: 'health',
    file: 'src/mcp/http/web/health.ts',
    find: "return c.json(health, health.status === 'starting' ? 503 : 200, uncached);",
    replace: "return c.json(health, health.status !== 'ready' ? 503 : 200, uncached);",
    test: 'test/mcp/http/web/routes.test.ts',
    name: 'is not down for them',
  },
  {
    id: 'start gate',
    file: 'src/cli/start-gate.ts',
    find: 'await untilAborted(ready, options?.signal);',
    replace: 'await untilAborted(service.ready, options?.signal);',
    test: 'test/cli/start-gate.test.ts',
    name: 'answers no query',
  },
];
