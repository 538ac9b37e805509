import type { CST, Document, LineCounter } from 'yaml';
import { yaml } from './yaml.js';

/** A YAML text as `yaml` composes it. Errors of its syntax are in `document.errors`, and no other document is in it. */
export interface ComposedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** The directives of the stream, such as `%YAML 1.2`. */
  readonly directives: readonly CST.Directive[];
  /** Offset at which a second document of the stream begins. */
  readonly secondAt: number | undefined;
}

/** A text that is not composed. Offset in UTF-16 code units. */
export interface UncomposedYaml {
  readonly reason: 'too-deep' | 'too-long';
  readonly offset: number;
}

/** Characters of one text: the folding of a long scalar takes about a microsecond each. */
export const mostCharacters = 1024 * 1024;

/**
 * Words and signs of one text. Composing takes about four microseconds each, and eighteen where each is an error, so this
 * is a bound on the time in which nothing else is done.
 */
export const mostLexemes = 200_000;

/**
 * Composes a YAML text (a JSON text is one, YAML 1.2 §1.3), after its depth was bounded: the composer of `yaml` 2.9
 * recurses, and where the stack ends inside of a regular expression V8 ends the whole process. Its lexer and parser do not
 * recurse. Repeated keys are no error here.
 */
export function composeYaml(text: string, maxDepth: number): ComposedYaml | UncomposedYaml {
  if (text.length > mostCharacters) return { reason: 'too-long', offset: 0 };
  const { Composer, CST, Lexer, LineCounter, Parser } = yaml();
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > mostLexemes) return { reason: 'too-long', offset: parser.offset };
    for (const token of parser.next(lexeme)) tokens.push(token);
    // The stack has the document, the collections that are open, and perhaps a scalar.
    if (parser.stack.length <= maxDepth + 1) continue;
    const innermost = parser.stack.at(-1);
    if (innermost !== undefined && CST.isCollection(innermost)) return { reason: 'too-deep', offset: innermost.offset };
  }
  for (const token of parser.end()) tokens.push(token);
  const [document] = new Composer(options).compose(tokens, true, text.length);
  if (document === undefined) throw new Error('yaml composed no document, not even an empty one');
  const [, second] = tokens.filter(({ type }) => type === 'document');
  return {
    document,
    lines,
    directives: tokens.filter((token): token is CST.Directive => token.type === 'directive'),
    secondAt: second?.offset,
  };
}

/**
 * The core schema of YAML 1.2 (§10.3) whatever the text says, without the types of YAML 1.1. `uniqueKeys` would compare
 * each key with each.
 */
const options = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;
