import type { Mutant } from '../mutants-table.js';

/** Faults of containers: rows X of cases.md, tool-node.md P9. */
export const containerMutants: readonly Mutant[] = [
  {
    id: 'tool-node 2 P9',
    file: 'src/invocation/container-argv.ts',
    find: "...(binding.network ? [] : ['--network=none']),",
    replace: "...(binding.network ? ['--network=none'] : []),",
    test: 'test/invocation/container-argv.test.ts',
    name: 'P9: takes from a container',
  },
  {
    id: 'tool-node 2 P9.2',
    file: 'schemas/invoke.ts',
    find: '/^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/,',
    replace: '/^[A-Za-z0-9._:/@-]*$/,',
    test: 'test/schemas/invoke.test.ts',
    name: 'takes no image',
  },
  {
    id: 'X7',
    file: 'src/invocation/process-identity.ts',
    find: "if (thatBoot === boot && rest.slice(0, -1).join(' ') !== namespace.join(' ')) return false;",
    replace: "if (thatBoot === boot && rest.slice(0, -1).join(' ') === '') return false;",
    test: 'test/invocation/container-call.test.ts',
    name: 'X7: removes what servers have left',
  },
  {
    id: 'X7.2',
    file: 'src/invocation/container-call.ts',
    find: 'const left = mayBeLeft(result) ? await removeContainers(engine, [name]) : undefined;',
    replace: 'const left = mayBeLeft(result) ? undefined : await removeContainers(engine, [name]);',
    test: 'test/invocation/container-call.test.ts',
    name: 'X7: says what to do',
  },
];
