import type { Mutant } from '../mutants-table.js';

/** Faults of what goes into a call and comes out of it: tool-node.md P6, sections 1 and 4. */
export const callDataMutants: readonly Mutant[] = [
  {
    id: 'tool-node P6.3',
    file: 'src/invocation/structured-output.ts',
    find: 'if (issues.length > 0) return mismatch(issues);',
    replace: 'if (issues.length > 99) return mismatch(issues);',
    test: 'test/invocation/structured-output.test.ts',
    name: 'has an entry for each issue',
  },
  {
    id: 'tool-node P6.4',
    file: 'src/invocation/structured-output.ts',
    find: '!Number.isSafeInteger(value) && Math.abs(value) < 1e21;',
    replace: '!Number.isFinite(value);',
    test: 'test/invocation/structured-output.test.ts',
    name: 'which no client would get as it is',
  },
  {
    id: 'tool-node P6.5',
    file: 'src/invocation/json-output.ts',
    find: 'if (invalidUtf8) return',
    replace: 'if (invalidUtf8 === undefined && truncated) return',
    test: 'test/invocation/structured-output.test.ts',
    name: 'bytes that are not UTF-8',
  },
  {
    id: 'tool-node §4',
    file: 'src/invocation/validate.ts',
    find: 'Number.isInteger(value) && !Number.isSafeInteger(value)',
    replace: 'Number.isInteger(value) && !Number.isFinite(value)',
    test: 'test/invocation/validate.test.ts',
    name: 'which JSON has rounded',
  },
  {
    id: 'tool-node §4.2',
    file: 'src/invocation/compiled-schema.ts',
    find: 'ownProperties: true,',
    replace: 'ownProperties: false,',
    test: 'test/invocation/validate.test.ts',
    name: 'do not satisfy a required name',
  },
  {
    id: 'tool-node §4.3',
    file: 'src/invocation/value-bounds.ts',
    find: 'if (depth > depthLimit) return',
    replace: 'if (depth > 1000 * 1000 * depthLimit) return',
    test: 'test/invocation/validate.test.ts',
    name: 'nested too deep for JSON',
  },
  {
    id: 'tool-node §1',
    file: 'schemas/tool-rules.ts',
    find: 'if (doc.description !== undefined && doc.summary !== undefined) {',
    replace: 'if (doc.description === doc.summary) {',
    test: 'test/schemas/tool-rules.test.ts',
    name: 'both names of the description',
  },
  {
    id: 'tool-node §1.2',
    file: 'schemas/tool-rules.ts',
    find: 'if (input.repeated && expected !== slots.length - 1) {',
    replace: 'if (input.repeated && expected > slots.length - 1) {',
    test: 'test/schemas/tool-rules.test.ts',
    name: 'A Tool',
  },
];
