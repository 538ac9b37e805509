import type { AST } from '@eslint-community/regexpp';
import refa, { type NFA } from 'refa';
import { canBeEmpty, hasAssertion } from './pattern-element.js';
import { shellActiveClass } from './shell-active.js';

/** Nodes that one automaton may have. */
const maxNodes = 20_000;
/** Automata that may be built for one pattern. */
const maxSteps = 5000;

const { DFA, JS, NFA: Automaton } = refa;
const alphabet = { maxCharacter: 0x10ffff };

/** Whether a place in the pattern is at the start of the string, surely not, or sometimes. */
type Position = 'start' | 'inside' | 'unknown';

/**
 * The strings in which a search with flag `u` finds the pattern, as an automaton over code points: a match at the start, or at a
 * place after it. Throws an Error that says why when automata do not decide it or a bound is exceeded.
 */
export function searchLanguage(pattern: string): NFA {
  const parser = parse(pattern);
  const { alternatives } = parser.ast.pattern;
  const compiler = new Compiler(parser);
  const found = compiler.alternatives(alternatives, 'start', everything());
  const later = compiler.alternatives(alternatives, 'inside', everything());
  later.prepend(compile('[^]+'), limit());
  found.union(later, limit());
  return found;
}

export function intersect(left: NFA, right: NFA): NFA {
  return Automaton.fromIntersection(left, right, limit());
}

/**
 * What JavaScript strings are as code points: a lone high surrogate is never followed by a lone low one, because the two together
 * are one code point.
 */
export function strings(): NFA {
  return complement(compile('[^]*[\\uD800-\\uDBFF][\\uDC00-\\uDFFF][^]*'));
}

export function shellActiveStrings(): NFA {
  return intersect(compile(`[^]*${shellActiveClass}[^]*`), strings());
}

/** Strings that a command could take for an option. */
export function optionLikeStrings(): NFA {
  return compile('-[^]*');
}

/** Paths with a segment `..`. In a URL with an authority, which `file:///…` has not, such a segment leads to no other file of the host. */
export function parentPathStrings(): NFA {
  const local = compile('[Ff][Ii][Ll][Ee]:///[^]*');
  const urls = intersect(compile('[A-Za-z][A-Za-z0-9+.-]*://[^]*'), complement(local));
  return intersect(compile('(?:[^]*/)?\\.\\.(?:/[^]*)?'), complement(urls));
}

/** Whether an error says that an automaton, or the pattern itself, is beyond `maxNodes`. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof refa.TooManyNodesError;
}

/**
 * Builds, from right to left, the language of "this part of the pattern matches here, and then the string goes on as in `rest`".
 * So an assertion about what follows is an intersection with `rest`, wherever it stands outside of a repetition.
 */
class Compiler {
  readonly #parser: InstanceType<typeof JS.Parser>;
  #steps = 0;

  constructor(parser: InstanceType<typeof JS.Parser>) {
    this.#parser = parser;
  }

  alternatives(alternatives: readonly AST.Alternative[], position: Position, rest: NFA): NFA {
    const language = nothing();
    for (const { elements } of alternatives) language.union(this.#sequence(elements, position, rest), limit());
    return language;
  }

  #sequence(elements: readonly AST.Element[], position: Position, rest: NFA): NFA {
    this.#steps += 1;
    if (this.#steps > maxSteps) throw new Error('it has too many parts');
    const [first, ...others] = elements;
    if (first === undefined) return rest;
    const after = this.#sequence(others, positionAfter(first, position), rest);
    if (!hasAssertion(first)) return this.#plain(first, after);
    if (first.type === 'Assertion') return this.#assertion(first, position, after);
    if (first.type === 'Group' || first.type === 'CapturingGroup') {
      return this.alternatives(first.alternatives, position, after);
    }
    return this.#repetition(first, position, after);
  }

  #plain(element: AST.Element, after: NFA): NFA {
    const { expression } = this.#parser.parseElement(element, {
      assertions: 'throw',
      backreferences: 'throw',
      maxBackreferenceWords: 0,
      maxNodes,
    });
    const language = Automaton.fromRegex(expression, alphabet, { assertions: 'throw' }, limit());
    language.append(after, limit());
    return language;
  }

  #assertion(assertion: AST.Assertion, position: Position, after: NFA): NFA {
    if (assertion.kind === 'start') {
      if (position === 'unknown') throw new Error('it has a ^ after something that may be empty');
      return position === 'start' ? after : nothing();
    }
    if (assertion.kind === 'end') return intersect(after, Automaton.emptyWord(alphabet));
    if (assertion.kind !== 'lookahead') throw new Error(`automata do not decide ${assertion.raw}`);
    const ahead = this.alternatives(assertion.alternatives, position, everything());
    return intersect(after, assertion.negate ? complement(ahead) : ahead);
  }

  /** An assertion in a group that is taken at most once is decided; in one that is repeated it is not. */
  #repetition(element: AST.Element, position: Position, after: NFA): NFA {
    if (element.type !== 'Quantifier' || element.max > 1) throw new Error(`it repeats an assertion: ${element.raw}`);
    const language = nothing();
    if (element.max === 1) language.union(this.#sequence([element.element], position, after), limit());
    if (element.min === 0) language.union(after, limit());
    return language;
  }
}

function positionAfter(element: AST.Element, position: Position): Position {
  if (element.type === 'Assertion' || position === 'inside') return position;
  return canBeEmpty(element) ? 'unknown' : 'inside';
}

function parse(source: string): InstanceType<typeof JS.Parser> {
  // ES2024: a later syntax (modifiers) that the running engine may know and refa does not is refused, not misread.
  return JS.Parser.fromLiteral({ source, flags: 'u' }, { ecmaVersion: 2024 });
}

function compile(source: string): NFA {
  return Automaton.fromRegex(parse(source).parse().expression, alphabet, {}, limit());
}

export function complement(language: NFA): NFA {
  const automaton = DFA.fromFA(language, new DFA.LimitedNodeFactory(maxNodes));
  automaton.complement(new DFA.LimitedNodeFactory(maxNodes));
  return Automaton.fromFA(automaton, limit());
}

function everything(): NFA {
  return Automaton.all(alphabet);
}

function nothing(): NFA {
  return Automaton.empty(alphabet);
}

function limit(): InstanceType<typeof Automaton.LimitedNodeFactory> {
  return new Automaton.LimitedNodeFactory(maxNodes);
}
