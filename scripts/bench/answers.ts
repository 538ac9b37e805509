import { LineProcess } from '../line-process.js';

/** A process that answers a line with a line, timed without looking into either. */
export class AnsweringProcess {
  readonly #child: LineProcess;
  readonly #lines: string[] = [];
  #waiting: ((line: string) => void) | undefined;

  constructor(file: string, args: readonly string[]) {
    this.#child = new LineProcess(file, args, { onLine: (line) => this.#receive(line) });
  }

  /** A server of the era 2025-11-25 that is ready for requests. */
  static async server(cli: string, root: string): Promise<AnsweringProcess> {
    const server = new AnsweringProcess(cli, ['serve', root]);
    const clientInfo = { name: 'toolgraph-bench', version: '0.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await server.ask(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    server.#child.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return server;
  }

  /** The next line that comes, or has come since the last was taken. */
  next(): Promise<string> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    return new Promise((resolve, reject) => {
      this.#waiting = resolve;
      void this.#child.closed.then(() => reject(new Error(`a process ended: ${this.#child.errors}`)));
    });
  }

  ask(line: string): Promise<string> {
    this.#child.send(line);
    return this.next();
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #receive(line: string): void {
    const resolve = this.#waiting;
    this.#waiting = undefined;
    if (resolve === undefined) this.#lines.push(line);
    else resolve(line);
  }
}
