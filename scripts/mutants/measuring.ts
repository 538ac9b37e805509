import type { Mutant } from '../mutants-table.js';

/** What the soak and the bench must not overlook. */
export const measuringMutants: readonly Mutant[] = [
  {
    id: 'soak lost',
    file: 'scripts/soak/notification-ledger.ts',
    find: 'if (told === 0 && hasChanged) this.lost += 1;',
    replace: 'if (told === 0 && !hasChanged) this.lost += 1;',
    test: 'test/scripts/soak/notification-ledger.test.ts',
    name: 'not told of: lost',
  },
  {
    id: 'soak doubled',
    file: 'scripts/soak/notification-ledger.ts',
    find: 'const most = told === 1 ? Number(hasChanged)',
    replace: 'const most = told === 1 ? 1',
    test: 'test/scripts/soak/notification-ledger.test.ts',
    name: 'no change, and one was told of',
  },
  {
    id: 'soak flat',
    file: 'scripts/soak/flatness.ts',
    find: 'isFlat: growth <= allowed,',
    replace: 'isFlat: slope <= allowed,',
    test: 'test/scripts/soak/flatness.test.ts',
    name: 'not flat when it leaks',
  },
  {
    id: 'soak last good',
    file: 'scripts/soak/soak-instance.ts',
    find: 'expectedTool(text) ?? before.get(path);',
    replace: 'expectedTool(text);',
    test: 'test/scripts/soak/bursts.test.ts',
    name: 'keeps the last good tool',
  },
  {
    id: 'bench target',
    file: 'scripts/bench/targets.ts',
    find: "(sense === 'at most' ? value <= limit : value >= limit);",
    replace: 'value <= limit;',
    test: 'test/scripts/bench/targets.test.ts',
    name: 'are not reached beyond them',
  },
  {
    id: 'soak record',
    file: 'scripts/soak-calls/call-ledger.ts',
    find: 'if (outcome === outcomeOfEnd(fate.end) && code === fate.end) return undefined;',
    replace: 'if (outcome === outcomeOfEnd(fate.end)) return undefined;',
    test: 'test/scripts/soak-calls/call-ledger.test.ts',
    name: 'the codes differ',
  },
  {
    id: 'soak orphan',
    file: 'scripts/soak-calls/left-processes.ts',
    find: "else if (call?.fault.name === 'daemon' && call.fate.kind !== 'answered')",
    replace: "else if (call?.fault.name === 'daemon')",
    test: 'test/scripts/soak-calls/left-processes.test.ts',
    name: 'is an orphan where the answer is silent',
  },
];
