/**
 * What the engine says of a query that the parser accepts, in words. Its errors of syntax list everything that could stand at a place of the
 * text that it was given, which is not the text that was written; among that may be a sentence that says what is wrong.
 */
export function engineWords(message: string): string {
  const listed = /^error at \d+:\d+: expected (?:one of )?([\s\S]*)$/.exec(message)?.[1];
  if (listed === undefined) return message.split('\n', 1)[0] ?? message;
  const sentence = listed.split(', ').find((part) => /^[A-Z?][^[\]]* [^[\]]* /.test(part));
  return sentence ?? 'it is no valid query: a variable is assigned twice, or used where it has no value';
}
