export const exportFormats = ['jsonld', 'turtle', 'trig', 'nquads'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** What of a dataset is wanted: all of it with its graphs, the merge of these, or the triples of the graph with an IRI. */
export type ExportSelection = 'dataset' | 'merged' | { readonly graph: string };
