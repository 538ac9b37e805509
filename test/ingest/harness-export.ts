/** A harness's whole-graph export (tool-node.md §1, "Accepted forms") of Tools in plain form; there is no other sample of one. */

export const exportIri = 'https://harness.example/graph.jsonld';
/** With this base the plain form has the IRIs of the export. */
export const exportBase = `${exportIri}#`;
export const harness = 'https://harness.example/cat-harness/0.1.0/ns#';

export const harnessContext = {
  ns: harness,
  label: 'http://www.w3.org/2000/01/rdf-schema#label',
  description: 'http://purl.org/dc/terms/description',
  Tool: 'ns:Tool',
  Skill: 'ns:Skill',
  satisfies: { '@id': 'ns:satisfies', '@type': '@id' },
  alternativeTo: { '@id': 'ns:alternativeTo', '@type': '@id' },
  ...Object.fromEntries(
    [
      ...['io', 'invoke', 'install', 'requirements', 'remedies', 'maintains', 'deprecated', 'limits', 'when'],
      ...['selection', 'downstream'],
    ].map((key) => [key, { '@id': `ns:${key}`, '@type': '@json' }]),
  ),
};

interface PlainTool {
  readonly id?: unknown;
  readonly title?: unknown;
  readonly satisfies?: unknown;
  readonly requires?: unknown;
  readonly alternativeTo?: unknown;
}

/** One Tool of the export, with every other key as it is in the plain form, under the harness's namespace. */
export function harnessTool(plain: PlainTool & Record<string, unknown>): Record<string, unknown> {
  const { id, title, satisfies, requires, alternativeTo, ...rest } = plain;
  const inContext = Object.entries(rest).map(([key, value]) => [key in harnessContext ? key : `ns:${key}`, value]);
  return {
    '@id': `${exportIri}#tool/${encodeURIComponent(String(id))}`,
    '@type': 'Tool',
    label: [id, title],
    satisfies: names(satisfies, 'skill'),
    ...(requires === undefined ? {} : { requirements: requires }),
    ...(alternativeTo === undefined ? {} : { alternativeTo: names(alternativeTo, 'tool') }),
    ...Object.fromEntries(inContext),
  };
}

export function harnessExport(...nodes: readonly object[]): object {
  return { '@context': harnessContext, '@graph': nodes };
}

function names(values: unknown, kind: string): unknown[] {
  return (values as string[]).map((name) => (name.includes(':') ? name : `${exportIri}#${kind}/${name}`));
}
