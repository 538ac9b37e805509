/**
 * Formats of strings that can be told apart by an example: it has its own format and none of the others. A format is taken as enforced,
 * which toolgraph does and most servers do.
 */
const examples: ReadonlyMap<string, string> = new Map([
  ['date', '2020-01-31'],
  ['date-time', '2020-01-31T12:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'a@example.org'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['time', '12:00:00Z'],
  ['uri', 'https://example.org/'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
]);

/** Has none of these formats. */
export const formless = '( )';

export function exampleOf(format: string): string | undefined {
  return examples.get(format);
}

/** Whether it is certain that the text has the format. */
export function isExampleOf(format: string, text: string): boolean {
  return examples.get(format) === text;
}

/** Whether it is certain that the text does not have the format. */
export function isFormatRefusing(format: string, text: string): boolean {
  if (!examples.has(format)) return false;
  return text === formless || [...examples].some(([other, example]) => other !== format && example === text);
}
