import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FollowedToken } from '../../../src/mcp/http/followed-token.js';
import { makeToken, revokeToken, tokenDigest } from '../../../src/store/access-token.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-token-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('The token of a service that runs', () => {
  const follow = () => {
    const onChange = vi.fn();
    const report = vi.fn();
    const token = new FollowedToken({ folder, onChange, report });
    return { token, onChange, report };
  };

  it('is required from when there is one, and ends what was opened with another', () => {
    const { token, onChange } = follow();
    expect(token.current()).toEqual({ kind: 'none' });
    const first = makeToken(folder);
    expect(token.current()).toEqual({ kind: 'set', digest: tokenDigest(first) });
    expect(onChange).toHaveBeenCalledTimes(1);
    makeToken(folder);
    token.current();
    token.current();
    expect(onChange).toHaveBeenCalledTimes(2);
    token.close();
  });

  it('is required for ever after: where it was revoked or removed, nobody is let through until there is another', () => {
    makeToken(folder);
    const { token, onChange, report } = follow();
    revokeToken(folder);
    expect(token.current().kind).toBe('broken');
    expect(token.current().kind).toBe('broken');
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(report.mock.calls).toEqual([[expect.stringContaining('the token was revoked')]]);
    const again = makeToken(folder);
    expect(token.current()).toEqual({ kind: 'set', digest: tokenDigest(again) });
    token.close();
  });

  it('is looked at although nobody asks', async () => {
    vi.useFakeTimers();
    try {
      const { token, onChange } = follow();
      makeToken(folder);
      vi.advanceTimersByTime(1_000);
      expect(onChange).toHaveBeenCalledTimes(1);
      token.close();
      makeToken(folder);
      vi.advanceTimersByTime(5_000);
      expect(onChange).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
