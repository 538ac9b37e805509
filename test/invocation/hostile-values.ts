import type { SeededRandom } from '../../scripts/seeded-random.js';

/** Every character that some shell gives a meaning (DESIGN decision 7), and those of other languages that a program may hand a value to. */
const active = [...Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(code)).slice(1), '\u007f'].concat([
  ...'"\'`$\\|&;<>(){}[]*?!#~%^=:,@+-/',
]);

/** Phrases that print, parted by ¦. */
const printed = [
  String.raw`$(touch x)¦;id¦&& id¦|| id¦| cat¦> x¦< /etc/passwd¦2>&1¦& id &¦$IFS¦$((1+1))¦\${x:-y}¦*¦?¦[a-z]¦{a,b}¦{1..9}¦~¦~root¦!!¦!$¦#¦\¦'¦"`,
  String.raw`' x '¦" x "¦$'\x41'¦<(id)¦<<E¦--¦-¦-rf¦--output=x¦--flag-0¦--joined-0=x¦-1¦-e¦-o ProxyCommand=id¦--=¦=¦=x¦@file¦+x¦/x¦ -rf`,
  String.raw`¦ ¦  ¦' OR 1=1 --¦"; DROP TABLE t; --¦%s%n%x¦%PATH%¦%0a¦%00¦{{7*7}}¦\${jndi:ldap://x}¦<script>¦<!--¦]]>¦../../etc/passwd¦{"a":1}¦[]`,
  'null¦undefined¦true¦NaN¦__proto__¦constructor¦0¦1e9999¦-0¦0x10¦1,2¦a,b¦a=b¦PATH=x¦`id`¦ﬀ¦Zürich¦日本',
].flatMap((line) => line.split('¦'));

const phrases = [
  ...printed,
  ...['\t', '\n', '\r', '\r\n', 'a\nb', 'a\n', '\nb', 'a\n-rf', '\\\n', '\u00a0', '\u2028', '\u2029', '\u0085'],
  ...['\0', 'a\0b', '\0a', 'a\0', '\u0001', '\u001b[2J', '\u0007', '\u0008', '\u007f', '\u009b31m'],
  ...['e\u0301', '\u00e9', 'Z\u0351\u0489', '\u202egnp.exe', '\u2066a\u2069', '\u200b', '\u200d', '\ufeff', '\ufeffa'],
  ...['\ufffd', '\uffff', '\u{10ffff}', '\u{1f600}', '\u{1f468}\u200d\u{1f469}', '\u{1f1e9}\u{1f1ea}', '\u{e0041}'],
  ...['\uff0d\uff0drf', '\u2212rf', '\u2013rf', '\u0131', '\u017f'],
  ...['\ud800', '\udc00', 'a\ud83d', '\ude00a', '\udc00\ud800', '\ud83d\ud83d\ude00'],
] as const;

/** One text that a caller who means harm, or does not know better, could send. Under 50 bytes, except for one in 200: that is about 128 KiB. */
export function hostileText(random: SeededRandom): string {
  if (random.chance(1 / 200)) return longText(random);
  const kind = random.next();
  if (kind < 0.35) return random.pick(phrases);
  if (kind < 0.5) return random.pick(phrases) + random.pick(phrases);
  if (kind < 0.75) return textOf(random, () => random.pick(active));
  if (kind < 0.9) return textOf(random, () => String.fromCodePoint(random.between(1, 0x10ffff)));
  return textOf(random, () => String.fromCharCode(random.between(0, 0xffff)));
}

/** The same, or another value of JSON. */
export function hostileValue(random: SeededRandom): unknown {
  if (random.chance(0.3)) return hostileText(random);
  if (random.chance(0.3)) return random.between(-1000, 1000);
  return random.pick([
    ...[
      0,
      -0,
      -1,
      1.5,
      -1.5,
      1e21,
      1e-7,
      5e-324,
      Number.MAX_VALUE,
      2 ** 53,
      2 ** 53 - 1,
      -(2 ** 53),
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ],
    ...[true, false, null, [], ['x'], [['x']], {}, { x: 1 }, JSON.parse('{"__proto__":{"x":1}}'), { toString: 'x' }],
  ]);
}

function textOf(random: SeededRandom, character: () => string): string {
  return Array.from({ length: random.between(1, 12) }, character).join('');
}

/** Just below and above what one argument may have. */
function longText(random: SeededRandom): string {
  const unit = random.pick(['x', '$', '\n', "'", 'é', '€', '\u{1f600}']);
  return (
    unit.repeat(Math.floor(131_072 / Buffer.byteLength(unit))).slice(random.pick([0, 2])) +
    'x'.repeat(random.between(0, 2))
  );
}
