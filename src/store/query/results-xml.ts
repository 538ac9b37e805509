import { RDF, rdf, XSD } from '../vocabulary.js';
import type { BindingsResult, BooleanResult, ResultTerm } from './graph-query.js';

/**
 * SPARQL Query Results XML (https://www.w3.org/TR/rdf-sparql-XMLres/). Undefined for a result with a character that XML 1.0 cannot hold, not
 * even as a reference: a literal may have any.
 */
export function resultsXml(result: BindingsResult | BooleanResult): string | undefined {
  const text = `<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n${contents(result)}</sparql>\n`;
  return notXml.test(text) ? undefined : text;
}

/** All but the characters of XML 1.0 (https://www.w3.org/TR/xml/#charsets). */
const notXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

function contents(result: BindingsResult | BooleanResult): string {
  if (result.kind === 'boolean') return `<head/>\n<boolean>${result.value}</boolean>\n`;
  const { variables, rows } = result;
  const head = variables.map((name) => `<variable name="${escaped(name)}"/>`).join('');
  const results = rows.map((row) => `<result>${Array.from(row, binding).join('')}</result>\n`).join('');
  return `<head>${head}</head>\n<results>\n${results}</results>\n`;
}

function binding([name, term]: readonly [string, ResultTerm]): string {
  return `<binding name="${escaped(name)}">${termElement(term)}</binding>`;
}

function termElement(term: ResultTerm): string {
  const text = escaped(term.value);
  if (term.termType === 'NamedNode') return `<uri>${text}</uri>`;
  if (term.termType === 'BlankNode') return `<bnode>${text}</bnode>`;
  const { language, datatype } = term;
  if (datatype.value === rdf.langString || datatype.value === `${RDF}dirLangString`) {
    return `<literal xml:lang="${escaped(language)}">${text}</literal>`;
  }
  if (datatype.value === `${XSD}string`) return `<literal>${text}</literal>`;
  return `<literal datatype="${escaped(datatype.value)}">${text}</literal>`;
}

/** A carriage return, and white space in an attribute, would be read as another character if it were not a reference. */
function escaped(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
