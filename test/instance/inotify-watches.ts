import { readdirSync, readFileSync } from 'node:fs';

/** How many paths this process watches (Linux; proc_pid_fdinfo(5)). */
export function inotifyWatches(): number {
  const texts = readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    } catch {
      // The descriptor of the listing itself.
      return '';
    }
  });
  return texts.join('\n').match(/^inotify /gm)?.length ?? 0;
}
