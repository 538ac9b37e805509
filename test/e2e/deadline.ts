import { setTimeout as delay } from 'node:timers/promises';

/** How long a test waits for what must come before it fails: long, because a busy machine is no fault of the server. In ms. */
export const patienceMs = 45_000;

/** The value of the promise, or an error that says `otherwise` after `ms`. */
export async function within<T>(promise: Promise<T>, ms: number, otherwise: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise())), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls until `claim` holds: for facts that come with no event, such as the end of another process. */
export async function eventually(
  claim: () => boolean | Promise<boolean>,
  what: string,
  ms = patienceMs,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await claim())) {
    if (Date.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await delay(20);
  }
}
