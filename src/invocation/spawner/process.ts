import { Socket } from 'node:net';
import { outputsOf } from '../output-holders.js';
import { signalGroup } from '../process-group.js';
import { childIdentity } from '../process-identity.js';
import { spawnChild } from '../spawn-child.js';
import { type SpawnerReply, type SpawnerRequest, socketHeader } from './messages.js';

/**
 * The process of a spawner: it starts what the server tells it to, and is small, so that Linux has few page tables to copy for each. It keeps
 * sockets to the server connected, of which a process gets its stdin, stdout and stderr.
 */

/** Kept connected: what the calls that run at once by default take. */
const socketCount = 96;
/** Of fewer there are more at once; else only when nothing was started for a moment, in ms, because the server, too, has to do with each. */
const fewSockets = 32;
const quietMs = 10;

const sockets = new Map<number, Socket>();
/** Leaders of the groups that run. */
const running = new Set<number>();
let lastSocket = 0;
let connectMore = (): void => {};
let quiet: NodeJS.Timeout | undefined;

process.on('message', (request: SpawnerRequest) => {
  if (request.kind === 'open') open(request);
  else void start(request);
});
process.once('disconnect', () => {
  // Nobody has a record of what was started last, and nobody reads what any of them writes.
  for (const group of running) signalGroup(group, 'SIGKILL');
  process.exit();
});
// It ends with the server, which may have to end its calls first when a signal comes to both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function open({ address, token }: Extract<SpawnerRequest, { kind: 'open' }>): void {
  connectMore = () => {
    while (sockets.size < socketCount) connect(address, token);
  };
  connectMore();
  tell({ kind: 'ready' });
}

function connect(address: string, token: string): void {
  const number = ++lastSocket;
  const socket = new Socket();
  // What comes on it is for the process that gets it. A socket that is paused does not begin to read when it is connected.
  socket.pause();
  socket.on('error', () => sockets.delete(number));
  socket.connect(address);
  socket.write(socketHeader(token, number));
  sockets.set(number, socket);
}

async function start({ id, image, sockets: numbers, withOutputs }: Extract<SpawnerRequest, { kind: 'start' }>) {
  const ends = numbers.map((number) => (number === null ? 'ignore' : sockets.get(number)));
  const child = ends.includes(undefined) ? { errorCode: 'ENOTCONN' } : await spawnChild(image, ends);
  if ('errorCode' in child) {
    tell({ kind: 'failed', id, ...(child.errorCode === undefined ? {} : { errorCode: child.errorCode }) });
  } else {
    const { pid } = child;
    running.add(pid);
    child.once('exit', (exitCode, signal) => {
      running.delete(pid);
      tell({ kind: 'exited', id, exitCode, signal });
    });
    // Within one turn of the event loop: until the next one the process keeps its id, even if it has ended.
    const [outputs, identity] = [withOutputs ? outputsOf(pid) : [], await childIdentity(pid)];
    tell({ kind: 'started', id, pid, outputs, ...(identity === undefined ? {} : { identity }) });
  }
  for (const number of numbers) {
    if (number === null) continue;
    sockets.get(number)?.destroy();
    sockets.delete(number);
  }
  clearTimeout(quiet);
  if (sockets.size < fewSockets) setImmediate(connectMore);
  else quiet = setTimeout(connectMore, quietMs);
}

function tell(reply: SpawnerReply): void {
  // When the server has gone, `disconnect` ends this.
  process.send?.(reply, undefined, {}, () => {});
}
