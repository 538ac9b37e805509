import type { Finding } from '../../../src/check/rule.js';

export function finding(fields: Partial<Finding> = {}): Finding {
  return {
    rule: 'TG205',
    name: 'hidden-text',
    severity: 'error',
    message: 'a: its title has U+200B ZERO WIDTH SPACE at character 2',
    fix: 'Remove the character.',
    document: 'graph/tools/a.json',
    pointer: '/title',
    line: 3,
    column: 12,
    subject: 'urn:toolgraph:demo:tool/a',
    ...fields,
  };
}

/** A finding of the instance as a whole. */
export function unplaced(fields: Partial<Finding> = {}): Finding {
  const { document, pointer, line, column, subject, ...rest } = finding(fields);
  return rest;
}
