import { describe, expect, it } from 'vitest';
import { ignoreRules, isIgnoredName } from '../../src/ingest/ignore.js';

describe('isIgnoredName', () => {
  it.each([
    '.a.json.swp',
    '.git',
    '.toolgraph',
    'a.json~',
    'a.tmp',
    'A.TMP',
    'a.json.swp',
    '4913',
    '#a.json#',
    'node_modules',
  ])('W16: %s is ignored', (name) => expect(isIgnoredName(name)).toBe(true));
  it.each(['a.json', '4913.json', 'a#b.json', '#a.json', 'tmp', 'a.tmp.json', 'node_modules.md', '~a.json'])(
    '%s is not',
    (name) => expect(isIgnoredName(name)).toBe(false),
  );
});

describe('ignoreRules', () => {
  const rules = ignoreRules(['graph/drafts', 'graph/one.json']);

  it('ignores a listed path and everything in a listed folder, and nothing that only begins alike', () => {
    expect(['graph/drafts', 'graph/drafts/a/b.json', 'graph/one.json'].every((path) => rules.isListed(path))).toBe(
      true,
    );
    expect(['graph/drafts-2/a.json', 'graph/one.jsonld', 'graph'].some((path) => rules.isListed(path))).toBe(false);
  });

  it('never reads the config file as a document', () => {
    expect(rules.isIgnored('.', 'toolgraph.config.json')).toBe(true);
    expect(rules.isIgnored('graph', 'graph/toolgraph.config.json')).toBe(false);
  });

  it('looks at names below the node folder only, so a node folder may lie in a dot folder', () => {
    expect(rules.isIgnored('.agents/tools', '.agents/tools/a.json')).toBe(false);
    expect(rules.isIgnored('.agents/tools', '.agents/tools/.old/a.json')).toBe(true);
    expect(rules.isIgnored('.', 'node_modules/x/a.json')).toBe(true);
  });
});
