import type { Diagnostic, Place } from '../diagnostic.js';
import type { Generation } from '../projection/generation.js';

/** All that is known of one view: what `why` prints, and with `--json` exactly this. */
export interface ExplainedView {
  readonly kind: 'view';
  readonly id: string;
  readonly iri: string;
  readonly state: 'projected' | 'omitted' | 'problem';
  /** It is served as it was before its node became a problem. */
  readonly lastGood?: true;
  readonly code?: string;
  readonly reason?: string;
  readonly problems: readonly Diagnostic[];
  readonly document?: string;
  readonly line?: number;
  readonly title?: string;
  readonly description?: string;
  readonly tier?: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: string; readonly required: boolean }[];
  readonly query?: string;
  readonly uri?: string;
  readonly mediaType?: string;
}

/** The views that have this id or IRI, in whatever state. */
export function explainViews(
  wanted: string,
  { views, viewOmissions, problems }: Pick<Generation, 'views' | 'viewOmissions' | 'problems'>,
  locate: (place: Place) => { readonly line: number } | undefined,
): ExplainedView[] {
  const isWanted = ({ id, iri }: { readonly id: string; readonly iri: string }): boolean =>
    wanted === id || wanted === iri;
  const ofView = problems.filter(({ subject = '' }) => isWanted({ id: viewIdIn(subject) ?? '', iri: subject }));
  const served = [...views.values()].filter(isWanted).map((view): ExplainedView => {
    const { id, iri, document, title, description, tier, query, uri, mediaType, lastGood } = view;
    const parameters = view.parameters.map(({ name, schema, required }) => ({
      name,
      schema,
      required: required === true,
    }));
    const own = ofView.filter(({ subject }) => subject === iri);
    return {
      ...{ kind: 'view', id, iri, state: 'projected', ...(lastGood === undefined ? {} : { lastGood }), problems: own },
      ...{ document, title, description, tier, parameters, query },
      ...(uri === undefined ? {} : { uri }),
      ...(mediaType === undefined ? {} : { mediaType }),
    };
  });
  const omitted = (viewOmissions ?? [])
    .filter(isWanted)
    .map(({ id, iri, code, reason, document, pointer }): ExplainedView => {
      const line = locate({ document, pointer })?.line;
      const place = { document, ...(line === undefined ? {} : { line }) };
      return { kind: 'view', id, iri, state: 'omitted', code, reason, problems: [], ...place };
    });
  const found = [...served, ...omitted];
  const broken = ofView.filter(({ subject }) => !found.some(({ iri }) => iri === subject));
  return [...found, ...brokenViews(broken)];
}

function brokenViews(problems: readonly Diagnostic[]): ExplainedView[] {
  const byIri = new Map<string, Diagnostic[]>();
  for (const problem of problems) {
    const { subject = '' } = problem;
    byIri.set(subject, [...(byIri.get(subject) ?? []), problem]);
  }
  return Array.from(byIri, ([iri, own]) => {
    const [{ code, message, document, line } = { code: undefined, message: undefined }] = own as [Diagnostic?];
    return {
      ...({ kind: 'view', id: viewIdIn(iri) ?? iri, iri, state: 'problem', problems: own } as const),
      ...(code === undefined ? {} : { code, reason: message }),
      ...(document === undefined ? {} : { document }),
      ...(line === undefined ? {} : { line }),
    };
  });
}

/** The id in the IRI of a view. */
function viewIdIn(iri: string): string | undefined {
  return /(?:^|[/:#])view\/([^/#?]+)$/.exec(iri)?.[1];
}
