import { describe, expect, it } from 'vitest';
import { isInFolder, isUnder, pathInFolder } from '../../src/instance/containment.js';

describe('isInFolder', () => {
  it('takes "." for the whole instance and does not mistake a longer name', () => {
    expect(isInFolder('.', 'a/b')).toBe(true);
    expect(isInFolder('a', 'a/b')).toBe(true);
    expect(isInFolder('a', 'ab')).toBe(false);
  });
});

describe('isUnder', () => {
  it('finds the path itself and each folder that holds it, as isInFolder does for one', () => {
    for (const path of ['a', 'a/b', 'a/b/c', 'ab', 'b']) {
      for (const folder of ['.', 'a', 'a/b', 'b']) {
        expect(isUnder(new Set(['x', folder]), path)).toBe(isInFolder(folder, path));
      }
    }
  });
});

describe('pathInFolder', () => {
  it('is relative to the instance, whatever the real path of the folder', () => {
    expect(pathInFolder({ path: 'graph', real: '/elsewhere' }, '/elsewhere/tools/a.json')).toBe('graph/tools/a.json');
    expect(pathInFolder({ path: '.', real: '/elsewhere' }, '/elsewhere/a.json')).toBe('a.json');
  });
});
