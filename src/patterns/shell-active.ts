/**
 * The shell-active characters of DESIGN decision 7: U+0000–U+0020, U+007F and what a shell gives a meaning to. `= : / % @ , + - . _`
 * and letters of any script are not; a leading `-` is a rule at call time.
 */
export const shellActiveClass = '[\\u0000-\\u0020\\u007F"\'`$\\\\|&;<>(){}\\[\\]*?!#~]';

const shellActive = new RegExp(shellActiveClass, 'u');

/** Whether a string has at least one shell-active character. */
export function isShellActive(value: string): boolean {
  return shellActive.test(value);
}
