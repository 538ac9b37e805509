import { connect, type Socket } from 'node:net';
import { patienceMs, within } from './deadline.js';

export interface RawAnswer {
  /** 0 where the connection was closed without an answer. */
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

/** Writes `bytes` as they are on a connection of its own and reads until the server closes it, or has sent one whole answer. */
export async function sendRaw(url: URL, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = await openSocket(url);
  try {
    socket.write(bytes);
    return await within(readAnswer(socket), patienceMs, () => `no answer to ${String(bytes).slice(0, 200)}`);
  } finally {
    socket.destroy();
  }
}

export async function openSocket({ hostname, port }: URL): Promise<Socket> {
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  socket.on('error', () => {});
  await within(
    new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('close', () => reject(new Error('the connection was refused')));
    }),
    patienceMs,
    () => 'no connection',
  );
  return socket;
}

/** Text of a request with a body of a stated length. */
export function request(line: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return `${[line, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`;
}

function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1');
    const done = (): void => resolve(parsed(text));
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isWhole(text)) done();
    });
    socket.on('close', done);
  });
}

function parsed(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') };
}

function isWhole(text: string): boolean {
  const { status, head, body } = parsed(text);
  if (status === 204) return true;
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return (
    text.includes('\r\n\r\n') && (length !== undefined ? body.length >= Number(length) : body.endsWith('0\r\n\r\n'))
  );
}
