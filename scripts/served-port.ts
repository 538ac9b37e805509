import { LineProcess } from './line-process.js';

/** A process that listens on a port of the loopback and says so in one line of stdout or stderr, which ends in its URL. */
export class ServedPort {
  readonly url: URL;
  readonly #child: LineProcess;

  private constructor(child: LineProcess, url: URL) {
    this.#child = child;
    this.url = url;
  }

  static async start(file: string, args: readonly string[]): Promise<ServedPort> {
    let heard = '';
    let hear = (_: string): void => {};
    const told = new Promise<URL>((resolve) => {
      hear = (text) => {
        heard += text;
        const [, url] = /listening on (http:\S+)\s/.exec(heard) ?? [];
        if (url !== undefined) resolve(new URL(url));
      };
    });
    const child = new LineProcess(file, args, {
      onLine: (line) => hear(`${line}\n`),
      onErrorText: (text) => hear(text),
    });
    const ended = child.closed.then(() => {
      throw new Error(`a server ended before it listened: ${child.errors}`);
    });
    return new ServedPort(child, await Promise.race([told, ended]));
  }

  /** `toolgraph serve --http`. `cli` is the built `main.js`. */
  static toolgraph(cli: string, root: string): Promise<ServedPort> {
    return ServedPort.start(cli, ['serve', root, '--http', '0']);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Tells it to end and waits until it has. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#child.closed;
  }
}
