/**
 * Reads a `text/event-stream` that comes in parts, and gives the data of each whole event (HTML, 9.2.6). Comments, which keep a
 * connection open, and events without data, give nothing.
 */
export class EventStream {
  #rest = '';

  push(text: string): string[] {
    const events = (this.#rest + text).split(/\r?\n\r?\n/);
    this.#rest = events.pop() ?? '';
    return events.map(dataOf).filter((data) => data !== '');
  }
}

function dataOf(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
}
