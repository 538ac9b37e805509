import type { Mutant } from '../mutants-table.js';

/** Faults of views, of the resources, and of the tool that reads views: tool-node.md §5, and decisions 3, 5 and 15 of DESIGN.md. */
export const viewMutants: readonly Mutant[] = [
  {
    id: 'blank nodes',
    file: 'src/mcp/resources/blank-colours.ts',
    find: 'const kept = rest > 0 ? undefined : largest;',
    replace: 'const kept = rest < 0 ? undefined : largest;',
    test: 'test/mcp/resources/blank-colours.test.ts',
    name: 'of a long chain',
  },
  {
    id: 'view uri.1',
    file: 'src/mcp/resources/view-uri.ts',
    find: 'const exact = own.find((view) => view.uri === uri);',
    replace: "const exact = own.find((view) => view.uri === uri && view.uri === '');",
    test: 'test/mcp/resources/view-uri.test.ts',
    name: 'is the one that has it, before any template',
  },
  {
    id: 'view uri.2',
    file: 'src/projection/live-views.ts',
    find: 'const first = group.filter(({ iri, view }) => servedAt.get(iri) === view.uri);',
    replace: 'const first = group.slice(0, 1);',
    test: 'test/views.test.ts',
    name: 'has a uri that no other view has',
  },
  {
    id: 'view D3',
    file: 'src/projection/live-views.ts',
    find: 'isAtFault: (iri) => atFault.has(iri) || surroundings.isAtFault(iri),',
    replace: 'isAtFault: (iri) => surroundings.isAtFault(iri),',
    test: 'test/views.test.ts',
    name: 'keeps its last good form',
  },
  {
    id: 'view D5',
    file: 'src/mcp/watched-resources.ts',
    find: 'const isOther = isFirst ? watched.isUncertain : text !== watched.text;',
    replace: 'const isOther = !isFirst || watched.isUncertain;',
    test: 'test/e2e/resources.test.ts',
    name: 'tell of a view only when its result changed',
  },
  {
    id: 'view D15',
    file: 'src/mcp/resources/view-parameters.ts',
    find: "if (type.format === 'iri' || type.format === 'uri') return new Iri(value);",
    replace: "if (type.format === 'iri' || type.format === 'uri') return new LiteralTerm(value);",
    test: 'test/mcp/resources/view-parameters.test.ts',
    name: 'is the term that JSON-LD makes',
  },
  {
    id: 'resource P15',
    file: 'src/mcp/resources/node-resources.ts',
    find: "({ node, omission }) => node?.tool.tier !== 'internal' && omission?.code !== 'internal',",
    replace: "({ omission }) => omission?.code === undefined || omission.code !== 'unmet-os',",
    test: 'test/mcp/resources/read-resource.test.ts',
    name: 'is not there for an internal one',
  },
  {
    id: 'state tool',
    file: 'src/projection/duplicates.ts',
    find: 'for (const node of getStateTool === true ? nodes : []) {',
    replace: 'for (const node of getStateTool === false ? nodes : []) {',
    test: 'test/e2e/get-state-tool.test.ts',
    name: 'is refused at start',
  },
];
