import { describe, expect, it } from 'vitest';
import { problem } from '../src/diagnostic.js';
import { generationDigests } from '../src/projection/digest.js';

describe('problem', () => {
  it('writes half a surrogate pair as U+FFFD, because a digest of it would fail and with it every generation', () => {
    const half = '\ud800';
    const found = problem('invalid-node', `found "x${half}…`, { document: half, pointer: `/${half}`, subject: half });
    expect(found).toMatchObject({
      message: 'found "x\uFFFD…',
      document: '\uFFFD',
      pointer: '/\uFFFD',
      subject: '\uFFFD',
    });
    expect(() => generationDigests([], [], { views: new Map(), viewOmissions: [] }, [found])).not.toThrow();
  });

  it('leaves whole characters and the rest of the place as they are', () => {
    const place = { document: 'a/💥.json', line: 2, column: 3 };
    expect(problem('unreadable', '💥', place)).toEqual({
      code: 'unreadable',
      severity: 'error',
      message: '💥',
      ...place,
    });
  });
});
