import { describe, expect, it } from 'vitest';
import { unreadFile } from '../../../src/check/rules/unread-file.js';
import { checked, found, member } from '../checked-instance.js';

describe('unread-file', () => {
  it('names each file of data that nothing reads, in its instance', () => {
    const members = new Map([
      ['', member({ unreadFiles: ['graph/tools/a.json5'] })],
      ['../other', member({ unreadFiles: ['../other/graph/tools/b.jsonc'] })],
    ]);
    expect(found(unreadFile, { ...checked(), members })).toEqual([
      { message: 'this file is not read: nothing reads .json5 here', document: 'graph/tools/a.json5' },
      {
        message: 'this file is not read: nothing reads .jsonc here',
        document: '../other/graph/tools/b.jsonc',
        instance: '../other',
      },
    ]);
  });
});
