/**
 * Loaded into a process ahead of its own program (`--import`), with the path of a socket as `?socket=` of its address: for each byte that comes
 * there, spawns `true` in that process and writes the time that it took in ms as one line. Ends with the process.
 */
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { bareSpawn } from '../bare-spawn.js';

if (isMainThread) {
  const server = createServer((socket) => {
    socket.unref().on('data', async () => socket.write(`${await bareSpawn()}\n`));
  });
  server.listen(new URL(import.meta.url).searchParams.get('socket') ?? undefined).unref();
}
