import { describe, expect, it } from 'vitest';
import { InvokeSchema } from '../../schemas/invoke.js';

const accepts = (container: unknown) => InvokeSchema.safeParse({ container }).success;

describe('invoke.container', () => {
  it.each(['x', 'x:1', 'ghcr.io/x/y:1', 'localhost:5000/x@sha256:0a1b', 'docker.io/library/a_b.c-d'])(
    'takes the image %s',
    (image) => {
      expect([accepts(image), accepts({ image })]).toEqual([true, true]);
    },
  );

  it.each(['', '-v', '--privileged', ' x', 'x y', 'x\n', '$x', '/x', './x', 'x'.repeat(513)])(
    'takes no image %j, which an engine could take for something else',
    (image) => {
      expect([accepts(image), accepts({ image })]).toEqual([false, false]);
    },
  );

  it.each([
    ['docs', true],
    ['docs/a b', true],
    ['docs:/data', true],
    ['.:/data', true],
    ['docs:/data:ro', true],
    ['docs:/data:rw', true],
    ['docs:/data:z', false],
    ['docs:data', false],
    ['docs:/', false],
    ['docs:/a,readonly=false', false],
    ['.', false],
    ['/etc', false],
    ['/etc:/data', false],
    ['../a', false],
    ['a/..:/data', false],
    ['a/../b:/data', false],
    [{ source: 'docs', target: '/data' }, true],
    [{ source: '../docs', target: '/data' }, false],
    [{ source: '/docs', target: '/data' }, false],
    [{ source: 'docs', target: 'data' }, false],
    [{ source: 'docs', target: '/' }, false],
    [{ source: 'docs', target: '/data,readonly=false' }, false],
  ])('of the mount %j: %j', (mount, expected) => {
    expect(accepts({ image: 'x', mounts: [mount] })).toBe(expected);
  });
});
