import fc from 'fast-check';

const character = fc.constantFrom('a', 'b', '0', '_', '-', ';', ' ', 'é');
const characterClass = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.array(fc.constantFrom('a', 'b', '0', '_', ';', '\\s', '\\w', 'a-z', '\\n'), {
      maxLength: 3,
    }),
  )
  .map(([negation, members]) => `[${negation}${members.join('')}]`);
const quantifier = fc.constantFrom('', '', '', '', '*', '+', '?', '*?', '{0}', '{2}', '{1,2}', '{2,}');

/** Patterns over a small grammar: classes, escapes, quantifiers, groups, alternatives, anchors, lookaheads. All are valid under `u`. */
export const randomPattern = patternOf(2);

/** The same, mostly as an author of a type would write it: anchored on both sides, so that a safe language is possible. */
export const randomAnchoredPattern: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '(?!-)', '(?=[a-b])', '(?!.*00)', '(?=.{2})', '(?!$)'), randomBody())
  .map(([lookahead, body]) => `^${lookahead}${body}$`);

function randomBody(): fc.Arbitrary<string> {
  const part = fc.constantFrom(
    'a',
    '[ab]',
    '[a-z0-9]',
    '\\w',
    '\\d',
    '[^\\s\\W]',
    'é',
    '\\u{1F600}',
    '[^\\0-~]',
    '[;a]',
    '.',
  );
  const parts = fc.array(
    fc.tuple(part, quantifier).map((pair) => pair.join('')),
    { minLength: 1, maxLength: 3 },
  );
  return fc
    .tuple(parts, parts, fc.boolean())
    .map(([left, right, either]) => (either ? `(?:${left.join('')}|${right.join('')})` : left.join('')));
}

/** `depth` groups and lookaheads may stand in each other. */
function patternOf(depth: number): fc.Arbitrary<string> {
  return fc.array(sequenceOf(depth), { minLength: 1, maxLength: 3 }).map((sequences) => sequences.join('|'));
}

function sequenceOf(depth: number): fc.Arbitrary<string> {
  const atoms = fc.array(
    fc.tuple(atomOf(depth), quantifier).map((pair) => pair.join('')),
    { maxLength: 3 },
  );
  const anchors = fc.constantFrom(['', ''], ['', ''], ['^', ''], ['', '$'], ['^', '$']);
  const lookahead =
    depth === 0
      ? fc.constant('')
      : fc.oneof(
          { weight: 2, arbitrary: fc.constant('') },
          fc.tuple(fc.constantFrom('(?=', '(?!'), patternOf(depth - 1)).map((pair) => `${pair.join('')})`),
        );
  return fc
    .tuple(anchors, lookahead, atoms)
    .map(([[start = '', end = ''], ahead, elements]) => `${start}${ahead}${elements.join('')}${end}`);
}

function atomOf(depth: number): fc.Arbitrary<string> {
  const escaped = fc.constantFrom('\\s', '\\S', '\\w', '\\W', '\\d', '\\D', '.', '\\p{L}', '\\u{1F600}');
  const flat = [
    { weight: 6, arbitrary: character },
    { weight: 3, arbitrary: escaped },
    { weight: 3, arbitrary: characterClass },
  ];
  if (depth === 0) return fc.oneof(...flat);
  const group = fc.tuple(fc.constantFrom('(', '(?:'), patternOf(depth - 1)).map((pair) => `${pair.join('')})`);
  return fc.oneof(...flat, { weight: 2, arbitrary: group });
}
