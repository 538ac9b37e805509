import type { AST } from '@eslint-community/regexpp';

/** Whether an element holds `^`, `$`, `\b` or a lookaround, at any depth. */
export function hasAssertion(element: AST.Element): boolean {
  if (element.type === 'Assertion') return true;
  if (element.type === 'Quantifier') return hasAssertion(element.element);
  return isGroup(element) && element.alternatives.some(({ elements }) => elements.some(hasAssertion));
}

/** Whether an element can match without taking a character. */
export function canBeEmpty(element: AST.Element): boolean {
  if (element.type === 'Assertion' || element.type === 'Backreference') return true;
  if (element.type === 'Quantifier') return element.min === 0 || canBeEmpty(element.element);
  return isGroup(element) && element.alternatives.some(({ elements }) => elements.every(canBeEmpty));
}

function isGroup(element: AST.Element): element is AST.Group | AST.CapturingGroup {
  return element.type === 'Group' || element.type === 'CapturingGroup';
}
