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
];
