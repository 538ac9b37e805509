import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretsMask } from '../../src/mcp/header-secrets.js';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const basic = `Basic ${base64('ada:open sesame/1')}`;

describe('secretsMask', () => {
  it.each<[header: [string, string], echoed: string]>([
    [['Authorization', 'Bearer TOK123'], 'Bearer TOK123'],
    [['Authorization', 'Bearer TOK123'], 'TOK123'],
    [['Authorization', 'Bearer TOK123'], base64('TOK123')],
    [['Authorization', 'Bearer a/b c?ÿ'], 'a%2fb%20c%3f%c3%bf'],
    [['Authorization', 'Bearer a/b c?ÿ'], 'a%2Fb+c%3F%C3%BF'],
    [['Authorization', 'Bearer say "a"'], String.raw`say \"a\"`],
    [['Authorization', basic], basic.slice('Basic '.length)],
    [['Authorization', basic], 'ada:open sesame/1'],
    [['Authorization', basic], 'open sesame/1'],
    [['Authorization', basic], 'open%20sesame%2F1'],
    [['Authorization', basic], base64('open sesame/1')],
    [['Cookie', 'sid=abcd1234; theme="dark-blue"'], 'abcd1234'],
    [['cookie', 'sid=abcd1234; theme="dark-blue"'], 'dark-blue'],
    [['X-Key', 'hush'], 'hush'],
  ])('masks of %j: %s', (header, echoed) => {
    expect(secretsMask([header])(`no entry for ${echoed}.`)).toBe('no entry for ….');
  });

  it('leaves what is shorter than 4 characters', () => {
    expect(secretsMask([['Authorization', 'Bearer abc']])('abc, and Bearer')).toBe('abc, and Bearer');
    expect(secretsMask([['X', '']])('text')).toBe('text');
  });

  it('masks a secret wherever it stands, and in base64 whatever stands around it', () => {
    const secret = fc.stringMatching(/^[!-~]{12,40}$/);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (token, before, after) => {
        const mask = secretsMask([['Authorization', `Bearer ${token}`]]);
        expect(mask(`${before}${token}${after}`)).not.toContain(token);
        const masked = mask(base64(`${before}${token}${after}`));
        expect(Buffer.from(masked.replaceAll('…', 'AAAA'), 'base64').toString('latin1')).not.toContain(token);
        expect(masked).toContain('…');
      }),
    );
  });
});
