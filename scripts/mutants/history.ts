import type { Mutant } from '../mutants-table.js';

const storedHistory = 'test/store/provenance/stored-history.test.ts';
const provenanceSource = 'test/store/provenance/provenance-source.test.ts';

/** Faults of what toolgraph remembers: DESIGN decisions 6, 11 and 12. */
export const historyMutants: readonly Mutant[] = [
  {
    id: 'decision 11',
    file: 'src/store/record-store.ts',
    find: 'if (history !== undefined) this.#history.put(',
    replace: 'if (history === undefined) this.#history.put(',
    test: storedHistory,
    name: 'keeps each version from when until when',
  },
  {
    id: 'decision 11.2',
    file: 'src/store/provenance/document-history.ts',
    find: 'row.number > this.#known && changeTime(signature) < changeTime(row.signature)',
    replace: 'changeTime(signature) < 0n',
    test: storedHistory,
    name: 'does not take what another process has replaced meanwhile for what is there',
  },
  {
    id: 'decision 11.3',
    file: 'src/store/provenance/document-history.ts',
    find: 'if (changed.size > 0) this.#forgetDigest(instance, known);',
    replace: '',
    test: storedHistory,
    name: 'asks for no node where a digest says',
  },
  {
    id: 'decision 11.4',
    file: 'src/store/provenance/document-history.ts',
    find: "if (isPast || broken === 'all') return;",
    replace: 'if (isPast) return;',
    test: storedHistory,
    name: 'keeps the revision of a node that cannot be determined',
  },
  {
    id: 'decision 11.5',
    file: 'src/store/provenance/part-history.ts',
    find: 'if (before !== undefined && parts.base === before) {',
    replace: 'if (before !== undefined) {',
    test: storedHistory,
    name: 'compares with what is there when another process has numbered one in between',
  },
  {
    id: 'decision 11.6',
    file: 'src/store/provenance/history-retention.ts',
    find: 'AND NOT EXISTS (SELECT 1 FROM invocation WHERE node_revision = old.number)',
    replace: '',
    test: storedHistory,
    name: 'is never what holds, nor what a call or a part of a generation names',
  },
  {
    id: 'decision 11.7',
    file: 'src/store/provenance/document-history.ts',
    find: "this.#journal.add('document', number);",
    replace: '',
    test: provenanceSource,
    name: 'followed by difference, it is what it is when all is read',
  },
  {
    id: 'decision 11.8',
    file: 'src/store/provenance/provenance-source.ts',
    find: 'this.#last = undefined;',
    replace: '',
    test: provenanceSource,
    name: 'begins again where another file stands in the place',
  },
  {
    id: 'decision 11.9',
    file: 'src/instance/document-in-git.ts',
    find: "hash('sha256', read.bytes, 'hex') !== document.sha256",
    replace: 'read.bytes.length < 0',
    test: 'test/instance/document-in-git.test.ts',
    name: 'says that a file is another one than is meant',
  },
  {
    id: 'diff through a link',
    file: 'src/cli/revision-folder.ts',
    find: 'if ((await lstat(at)).isSymbolicLink()) return false;',
    replace: 'if ((await lstat(at)).isFIFO()) return false;',
    test: 'test/cli/revision-folder.test.ts',
    name: 'is never written through a link',
  },
  {
    id: 'diff of a replaced object',
    file: 'src/instance/git.ts',
    find: "GIT_NO_REPLACE_OBJECTS: '1',",
    replace: "GIT_NO_LAZY_OBJECTS: '1',",
    test: 'test/cli/revision-folder.test.ts',
    name: 'not what another object is put in its place',
  },
];
