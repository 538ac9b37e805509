import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { projectFile } from './source-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = `${root}dist/src/cli/main.js`;

interface Instance {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly omissions: readonly { readonly id: string; readonly code: string }[];
  readonly problems: readonly unknown[];
}

interface Report {
  readonly errors: number;
  readonly findings: readonly object[];
}

/** Runs the built command line on this project. Throws with its stderr when the exit code is not 0. */
function toolgraph(...args: string[]): string {
  return execFileSync(process.execPath, [cli, ...args], { cwd: root, encoding: 'utf8' });
}

const never = /(?!)/;
/** Each form of tool-node.md §1: a document in it, what that form has, and what another form would have. */
const forms: readonly (readonly [string, string, RegExp, RegExp])[] = [
  ['plain JSON', 'graph/tools/word-count.json', /^\{\n {2}"\$schema"/, /"@/],
  ['JSON-LD with a context', 'graph/tools/git-log.jsonld', /"@context": "https:\/\/w3id/, /"@graph"/],
  ['YAML-LD', 'graph/tools/list-files.yaml', /^id: list-files$/m, /^\{/],
  ['one document of several nodes', 'graph/tools/working-tree.jsonld', /"@graph": \[.*"@type".*"@type"/s, never],
  ['Turtle', 'graph/tools/check-project.ttl', /^@prefix.* a tg:Tool ;/s, never],
  ['TriG', 'graph/tools/export-instance.trig', /^<urn:[^>]*> \{$/m, never],
  ['N-Triples', 'graph/tools/git-branches.nt', /^(?:\S+ <\S+> [^\n]* \.\n)+$/, /@prefix| <urn:\S+graph\//],
  ['N-Quads', 'graph/tools/git-contributors.nq', /^(?:\S+ <\S+> [^\n]* <urn:\S+graph\/\S+> \.\n)+$/, /@prefix/],
  ["a harness's whole-graph export", 'graph/export/guarded-lines.jsonld', /cat-harness\/ns#/, /toolgraph\/ns#/],
];

describe("The project's own instance", () => {
  it('projects every node but the one that a person does, without a problem', () => {
    const instance = JSON.parse(toolgraph('tools', '--json')) as Instance;
    expect(instance.problems).toEqual([]);
    expect(instance.omissions.map(({ id, code }) => ({ id, code }))).toEqual([{ id: 'release', code: 'manual-only' }]);
    const names = [
      'check_project',
      'export_instance',
      'generate_files',
      'inspect_instance',
      'run_mutants',
      'run_tests',
    ];
    names.push('word_count');
    // The rest read the history, which a copy of the sources without .git does not have.
    if (existsSync(`${root}.git`)) {
      names.push('git_branches', 'git_contributors', 'git_diff_stat', 'git_log', 'git_show', 'git_status');
      names.push('list_files', 'search_sources');
    }
    expect(instance.tools.map(({ name }) => name)).toEqual(names.sort());
  });

  it.each(forms)('has a Tool as %s', async (_, document, pattern, other) => {
    expect(projectFile(document)).toMatch(pattern);
    expect(projectFile(document)).not.toMatch(other);
    const graph = toolgraph('export', '--all', '--format', 'nquads');
    const iri = `urn:toolgraph:toolgraph:(?:document|derived)/${document}`;
    expect(graph).toMatch(new RegExp(`ns#type> <https://w3id\\.org/toolgraph/ns#Tool> <${iri}> \\.$`, 'm'));
  });

  it('passes its own check', () => {
    const { errors, findings } = JSON.parse(toolgraph('check', '--format', 'json')) as Report;
    expect(errors).toBe(0);
    expect(findings).toMatchObject([
      { code: 'manual-only', severity: 'warning', document: 'graph/tools/release.json' },
    ]);
  });

  it('counts the words of a text on stdin', () => {
    expect(toolgraph('call', 'word-count', '--args', '{"text":"one two\\nthree\\n","words":true}').trim()).toBe('3');
  });

  it('P6: gives parts of what a tool prints as its outputs', () => {
    const outputs = JSON.parse(toolgraph('call', 'inspect-instance')) as Record<string, readonly object[]>;
    expect(Object.keys(outputs)).toEqual(['digest', 'tools', 'omissions']);
    expect(outputs.omissions).toMatchObject([{ id: 'release', code: 'manual-only' }]);
  });

  it.runIf(existsSync(`${root}.git`))(
    'lists one commit of one folder, with a branch, a number and a path in argv',
    () => {
      const args = JSON.stringify({ count: 1, branch: 'HEAD', paths: ['schemas'] });
      expect(toolgraph('call', 'git-log', '--args', args)).toMatch(/^[0-9a-f]{7,} \d{4}-\d{2}-\d{2} .+: .+\n$/);
    },
  );
});
