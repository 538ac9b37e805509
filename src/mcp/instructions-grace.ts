import type { ServedInstance } from './server.js';

/** How long a handshake waits for the first generation, only to say in `instructions` how many problems there are. In ms. */
const instructionsGraceMs = 1000;

/** Resolves when the instructions of a server can say what there is to say, or have waited long enough. */
export async function whenInstructed(service: Pick<ServedInstance, 'ready' | 'current'>): Promise<void> {
  if (service.current !== undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, instructionsGraceMs);
  });
  await Promise.race([service.ready.catch(() => {}), expired]);
  clearTimeout(timer);
}
