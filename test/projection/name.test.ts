import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolName } from '../../src/projection/name.js';

const sha8 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

describe('The MCP name of a Tool (P1)', () => {
  it.each([
    ['readme-sync', undefined, 'readme_sync'],
    ['readme-sync', 'ch', 'ch_readme_sync'],
    ['a.b', undefined, 'a_b'],
    ['ReadMe', undefined, 'ReadMe'],
    ['7zip', undefined, 't_7zip'],
    ['7zip', 'ch', 'ch_t_7zip'],
    ['_x', undefined, 't__x'],
    ['a/b c', undefined, 'a_b_c'],
    ['überprüfe', undefined, 't__berpr_fe'],
    ['工具', undefined, 't___'],
    ['a😀b', undefined, 'a_b'],
    ['', undefined, 't_'],
    ['__proto__', undefined, 't___proto__'],
    ['a'.repeat(64), undefined, 'a'.repeat(64)],
    ['a'.repeat(65), undefined, `${'a'.repeat(55)}_${sha8('a'.repeat(65))}`],
    ['a'.repeat(62), 'ch', `ch_${'a'.repeat(52)}_${sha8(`ch_${'a'.repeat(62)}`)}`],
  ])('of %j with prefix %j is %j', (id, prefix, name) => {
    expect(toolName(id, prefix)).toBe(name);
  });

  it('P7: is legal for any id', () => {
    const prefix = fc.option(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,15}$/), { nil: undefined });
    // Of the whole of Unicode hardly one character is in ASCII, where the illegal ones are that people write.
    const anyId = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'binary-ascii', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom('a', '9', '-', '.'), minLength: 50, maxLength: 70 }),
    );
    fc.assert(
      fc.property(anyId, prefix, (id, before) => {
        expect(toolName(id, before)).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('P8: differs for two ids that are equal in their first 64 characters', () => {
    const start = 'a'.repeat(64);
    expect(toolName(`${start}-one`)).not.toBe(toolName(`${start}-two`));
  });
});
