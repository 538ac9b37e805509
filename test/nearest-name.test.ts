import { describe, expect, it } from 'vitest';
import { nearestName } from '../src/nearest-name.js';

describe('nearestName', () => {
  it.each([
    ['foldrs', 'folders'],
    ['invok', 'invoke'],
    ['TimeoutMS', 'timeoutMs'],
  ])('takes %s for %s', (mistyped, meant) => {
    expect(nearestName(mistyped, ['invoke', 'timeoutMs', 'folders', 'io'])).toBe(meant);
  });

  it('has no answer when nothing is near, and none for a very long word', () => {
    expect(nearestName('zzzzzz', ['folders'])).toBeUndefined();
    expect(nearestName('f'.repeat(65), ['f'.repeat(64)])).toBeUndefined();
  });

  it('gives the same answer whatever the order', () => {
    expect(nearestName('bat', ['cat', 'bar', 'hat'])).toBe(nearestName('bat', ['hat', 'bar', 'cat']));
  });
});
