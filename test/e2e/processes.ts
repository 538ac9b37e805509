import { execa } from 'execa';

/** Whether a process runs. A zombie does not: in a container nobody may reap what has lost its parent. */
export async function isRunning(pid: number): Promise<boolean> {
  const { stdout, exitCode } = await execa('ps', ['-o', 'stat=', '-p', String(pid)], { reject: false });
  return exitCode === 0 && stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
