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

  it.each([
    ['titel', 'title'],
    ['tilte', 'title'],
    ['shel', 'shell'],
    ['sehll', 'shell'],
    ['descripton', 'description'],
    ['desciprtion', 'description'],
    ['nmae', 'name'],
  ])('takes %s for %s, though other names are near', (mistyped, meant) => {
    expect(nearestName(mistyped, ['tier', 'title', 'tags', 'shell', 'description', 'name', 'none'])).toBe(meant);
  });

  it('has no answer when nothing is near, and none for a very long word', () => {
    expect(nearestName('zzzzzz', ['folders'])).toBeUndefined();
    expect(nearestName('f'.repeat(65), ['f'.repeat(64)])).toBeUndefined();
  });

  it('does not take a letter for another', () => {
    expect(nearestName('b', ['a', 'io'])).toBeUndefined();
    expect(nearestName('A', ['a', 'io'])).toBe('a');
  });

  it('gives the same answer whatever the order', () => {
    expect(nearestName('bat', ['cat', 'bar', 'hat'])).toBe(nearestName('bat', ['hat', 'bar', 'cat']));
  });
});
