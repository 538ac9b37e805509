/** What a server says when it has collected garbage: how many bytes of its heap are in use. Pure. */
export function collectedLine(heapBytes: number): string {
  return `garbage collected, ${heapBytes} bytes of the heap in use`;
}

/** The bytes of the last such line. Pure. */
export function collectedBytes(text: string): number | undefined {
  const bytes = [...text.matchAll(/^garbage collected, (\d+) bytes of the heap in use$/gm)].at(-1)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}
