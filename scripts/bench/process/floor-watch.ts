/**
 * The floor of a live edit: watches the folder in argv[2] with chokidar, and for each change reads the file, parses it and writes the
 * notification that toolgraph writes. Prints `ready` first; ends with its stdin.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { watch } from 'chokidar';

const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

const watcher = watch(process.argv[2] ?? '', {
  ignoreInitial: true,
  ignored: (path) => basename(path).startsWith('.'),
});
watcher.on('ready', () => console.log('ready'));
watcher.on('change', async (path) => {
  JSON.parse(await readFile(path, 'utf8'));
  process.stdout.write(`${notification}\n`);
});
process.stdin.resume().once('end', () => void watcher.close());
