import type { ServedView } from '../../projection/view-state.js';

/** A view with the texts that a URI gives its parameters. */
export interface ViewAddress {
  readonly view: ServedView;
  readonly params: ReadonlyMap<string, string>;
}

/**
 * The view that has a URI as its `uri`, or whose template fits it; undefined where there is none. A URI without variables comes before templates,
 * and of several templates that of the first view counts. Pure.
 */
export function viewAt(views: Iterable<ServedView>, uri: string): ViewAddress | undefined {
  const own = [...views].filter((view) => view.uri !== undefined);
  const exact = own.find((view) => view.uri === uri);
  if (exact !== undefined) return { view: exact, params: new Map() };
  for (const view of own) {
    const params = valuesIn(view.uri ?? '', uri);
    if (params !== undefined) return { view, params };
  }
  return undefined;
}

/** The values of the variables of a template in a URI, decoded. After a variable comes what no value holds, so nothing is tried twice. */
function valuesIn(template: string, uri: string): Map<string, string> | undefined {
  const [start = '', ...parts] = template.split('{');
  if (!uri.startsWith(start)) return undefined;
  const values = new Map<string, string>();
  let at = start.length;
  for (const part of parts) {
    const [name = '', literal = ''] = part.split('}', 2);
    const [value = ''] = /^[^/?&#]+/.exec(uri.slice(at)) ?? [];
    const next = at + value.length;
    if (value === '' || !uri.startsWith(literal, next)) return undefined;
    const decoded = decodedValue(value);
    if (decoded === undefined) return undefined;
    values.set(name, decoded);
    at = next + literal.length;
  }
  return at === uri.length && parts.length > 0 ? values : undefined;
}

function decodedValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
