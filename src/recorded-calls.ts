import type { Invocation } from '../schemas/invocation.js';
import { processIdentity } from './invocation/process-identity.js';
import { type RecordedCalls, type RecordQuery, readCalls } from './store/record-reader.js';
import { stateFolders } from './store/state-folder.js';

/**
 * The records of an instance, newest first. A call whose server has gone, and which no server has marked since, is shown as the next
 * start will mark it. Undefined when there are no records yet. Throws a StoreError.
 */
export async function recordedCalls(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  query: RecordQuery,
): Promise<Omit<RecordedCalls, 'running'> | undefined> {
  for (const folder of stateFolders(root, env)) {
    const read = readCalls(folder, query);
    if (read === undefined) continue;
    const { records, running, ...rest } = read;
    const gone = new Set<string>();
    for (const [id, { pid, identity }] of running) if ((await processIdentity(pid)) !== identity) gone.add(id);
    return { records: records.map((call) => (gone.has(call.id) ? interrupted(call) : call)), ...rest };
  }
  return undefined;
}

function interrupted(call: Invocation): Invocation {
  return { ...call, outcome: 'interrupted', reason: 'its server has gone; the next start marks it' };
}
