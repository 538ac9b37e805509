import type { ProcessImage } from '../spawn-child.js';

/** To the process of a spawner. */
export type SpawnerRequest =
  /** The first one. It is to connect sockets to `address`, each of which says `socketHeader` first. */
  | { readonly kind: 'open'; readonly address: string; readonly token: string }
  | {
      readonly kind: 'start';
      /** Of the start: numbered by the server. */
      readonly id: number;
      readonly image: ProcessImage;
      /** Numbers of the sockets for stdin, stdout and stderr; null: /dev/null. */
      readonly sockets: readonly (number | null)[];
      readonly withOutputs: boolean;
    };

/** From the process of a spawner. */
export type SpawnerReply =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'started';
      readonly id: number;
      readonly pid: number;
      readonly identity?: string;
      readonly outputs: readonly string[];
    }
  | { readonly kind: 'failed'; readonly id: number; readonly errorCode?: string }
  | {
      readonly kind: 'exited';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
    };

const numberDigits = 12;
const tokenDigits = 32;
/** Length of a header in bytes. */
export const headerBytes = tokenDigits + numberDigits;

/** What the process of a spawner says first on each socket: the secret of the server, and the number of the socket. Pure. */
export function socketHeader(token: string, number: number): string {
  return `${token}${String(number).padStart(numberDigits, '0')}`;
}

/** The token and the number in a header; undefined of what is none. Pure. */
export function parseSocketHeader(bytes: Uint8Array): { readonly token: string; readonly number: number } | undefined {
  const [, token = '', number = ''] = /^([\da-f]{32})(\d{12})$/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  return token === '' ? undefined : { token, number: Number(number) };
}
