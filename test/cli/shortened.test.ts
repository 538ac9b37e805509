import { expect, it } from 'vitest';
import { shortened } from '../../src/cli/shortened.js';

it('cuts a long word, and a long text, with an ellipsis', () => {
  expect(shortened('the tool is short')).toBe('the tool is short');
  expect(shortened(`the tool "${'n'.repeat(200_000)}" is long`)).toBe(`the tool "${'n'.repeat(199)}… is long`);
  expect(shortened('a b '.repeat(50_000))).toHaveLength(1001);
  expect(shortened(`${'n'.repeat(199)}🙂`)).toBe(`${'n'.repeat(199)}\ufffd…`);
});
