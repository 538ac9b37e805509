import { LineProcess, type LineProcessOptions } from './line-process.js';

export type StartOptions = Pick<LineProcessOptions, 'nodeOptions' | 'onErrorText'>;

/** How long it may take to end, in ms: what is under way is answered first. */
const endMs = 30_000;

/** A process that listens on a port of the loopback and says so in one line of stdout or stderr, which ends in its URL. */
export class ServedPort {
  readonly url: URL;
  readonly process: LineProcess;

  private constructor(process: LineProcess, url: URL) {
    this.process = process;
    this.url = url;
  }

  static async start(file: string, args: readonly string[], options: StartOptions = {}): Promise<ServedPort> {
    let heard = '';
    let hear = (_: string): void => {};
    const told = new Promise<URL>((resolve) => {
      hear = (text) => {
        heard += text;
        const [, url] = /listening on (http:\S+)\s/.exec(heard) ?? [];
        if (url === undefined) return;
        hear = () => {};
        resolve(new URL(url));
      };
    });
    const child = new LineProcess(file, args, {
      ...options,
      onLine: (line) => hear(`${line}\n`),
      onErrorText: (text) => {
        hear(text);
        options.onErrorText?.(text);
      },
    });
    const ended = child.closed.then(() => {
      throw new Error(`a server ended before it listened: ${child.errors}`);
    });
    return new ServedPort(child, await Promise.race([told, ended]));
  }

  /** `toolgraph serve --http`. `cli` is the built `main.js`. */
  static toolgraph(cli: string, root: string, options?: StartOptions): Promise<ServedPort> {
    return ServedPort.start(cli, ['serve', root, '--http', '0'], options);
  }

  /** Tells it to end and waits until it has; throws when it had to be killed. */
  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.process.stop(endMs);
  }
}
