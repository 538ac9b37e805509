import type { Mutant } from '../mutants-table.js';

/** Faults of functions and of the choice of an arm: tool-node.md P8, P10 and P11 and section 3. */
export const moduleMutants: readonly Mutant[] = [
  {
    id: 'X11.21',
    file: 'src/invocation/module/worker.ts',
    find: 'Math.min(bytes.length, keptBytes + 1);',
    replace: 'Math.min(bytes.length, keptBytes);',
    test: 'test/invocation/module/pool.test.ts',
    name: 'one byte that says there is more',
  },
  {
    id: 'tool-node P10',
    file: 'src/invocation/module/pool.ts',
    find: 'if (!thread.isRetired && thread.isCurrent) return thread;',
    replace: 'if (!thread.isRetired) return thread;',
    test: 'test/invocation/module/pool.test.ts',
    name: 'An edit of',
  },
  {
    id: 'tool-node P10.2',
    file: 'src/invocation/module/pool.ts',
    find: 'if (instance === undefined || file === undefined || !isWithin(instance, file)) return undefined;',
    replace: 'if (instance === undefined || file === undefined) return undefined;',
    test: 'test/invocation/module/pool.test.ts',
    name: 'by a link out of the instance',
  },
  {
    id: 'tool-node P10.3',
    file: 'src/invocation/module/fault.ts',
    find: "for (const prefix of own) words = words.replaceAll(prefix, '');",
    replace: 'void own;',
    test: 'test/invocation/module/fault.test.ts',
    name: 'A fault, in words',
  },
  {
    id: 'tool-node P10.4',
    file: 'src/module-health.ts',
    find: "if ('loaded' in answer) return undefined;",
    replace: '',
    test: 'test/module-health.test.ts',
    name: 'is not bad of one in which a call ends the thread',
  },
  {
    id: 'tool-node 3 arms',
    file: 'src/projection/arm.ts',
    find: 'rejected.push({ arm, ...judged });',
    replace: 'rejected.unshift({ arm, ...judged });',
    test: 'test/projection/arm.test.ts',
    name: 'is the next where the preferred one cannot run',
  },
];
