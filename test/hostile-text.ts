import fc from 'fast-check';

/** Strings with many of the characters that a terminal or a reader can be deceived with. */
export const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...['\u001b', '\u009b', '\u0007', '\u0000', '\u007f', '\r', '\n', '\t', '\u2028', '\u202e', '\u2066', '\ufeff'],
      ...['\u{e0041}', '\ud800', '\\', 'a'],
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
});

/** Whether a terminal would act on something in the text, or a reader be deceived by it. */
export function acts(text: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u.test(text);
}
