import { describe, expect, it } from 'vitest';
import { jcsDigest, projectionKey } from '../../src/projection/digest.js';

describe('jcsDigest', () => {
  it('does not depend on the order of members, and leaves out what is undefined', () => {
    expect(jcsDigest({ b: 1, a: [1, { d: 2, c: undefined }] })).toBe(jcsDigest({ a: [1, { d: 2 }], b: 1 }));
    // printf '{"a":1}' | sha256sum
    expect(jcsDigest({ a: 1 })).toBe('015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862');
  });
});

describe('projectionKey', () => {
  const host = { os: 'linux', path: '/bin', stated: { network: true } };
  const key = projectionKey({ tiers: ['stable', 'deprecated'], prefix: 'x' }, host);

  it('is one for options that mean the same', () => {
    expect(projectionKey({ prefix: 'x', tiers: ['deprecated', 'stable'] }, host)).toBe(key);
  });

  it('differs with every option and host fact', () => {
    const others = [
      projectionKey({ tiers: ['stable'], prefix: 'x' }, host),
      projectionKey({ tiers: ['stable', 'deprecated'] }, host),
      projectionKey({ tiers: ['stable', 'deprecated'], prefix: 'x', arms: ['shell'] }, host),
      projectionKey({ tiers: ['stable', 'deprecated'], prefix: 'x' }, { ...host, os: 'darwin' }),
      projectionKey({ tiers: ['stable', 'deprecated'], prefix: 'x' }, { ...host, path: undefined }),
      projectionKey({ tiers: ['stable', 'deprecated'], prefix: 'x' }, { ...host, stated: {} }),
    ];
    expect(new Set([key, ...others]).size).toBe(others.length + 1);
  });
});
