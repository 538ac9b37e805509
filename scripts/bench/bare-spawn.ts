import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs `true` with the three pipes that a call has, until they are drained; gives the time in ms. */
export async function bareSpawn(): Promise<number> {
  const before = performance.now();
  const child = spawn('true', [], { stdio: 'pipe' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`true ended with ${code}`);
  return performance.now() - before;
}
