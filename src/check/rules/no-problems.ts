import type { Rule } from '../rule.js';

/** Every problem of the generation, as it is. */
export const noProblems: Rule = {
  id: 'no-problems',
  summary: 'Everything in the instance can be determined.',
  check: ({ problems }) => [...problems],
};
