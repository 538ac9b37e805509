import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeInstance } from '../e2e/harness.js';
import { toolNode } from '../e2e/instance.js';
import { run } from './cli-process.js';

describe('toolgraph check', () => {
  it('passes where every tool is served', async () => {
    const { root } = await makeInstance([toolNode('a')]);
    expect(await run(['check', root])).toEqual({
      code: 0,
      stdout: '0 errors, 0 warnings; 1 tool served\n',
      stderr: '',
    });
  });

  it('only warns of what the host or an option keeps back', async () => {
    const { root } = await makeInstance([
      toolNode('new-one', { tier: 'experimental' }),
      toolNode('far', { invoke: { shell: 'no-such-command-here' } }),
    ]);
    const { code, stdout } = await run(['check', root]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^graph\/tools\/new-one\.json\n {2}16:11 +warning {2}new-one: .* {2}TG109 tier$/m);
    expect(stdout).toMatch(/^graph\/tools\/far\.json\n {2}7:14 +warning {2}far: .* {2}TG115 command-not-found$/m);
    expect(stdout).toMatch(/^0 errors, 2 warnings; 0 tools served$/m);
  });

  it('fails on what a change of the node would cure, whatever the host has', async () => {
    const invoke = { shell: 'no-such-command-here > file' };
    const instance = await makeInstance([toolNode('redirected', { invoke, requires: { os: ['plan9'] } })]);
    const { code, stdout } = await run(['check', instance.root]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^graph\/tools\/redirected\.json\n {2}7:14 +error +redirected: .* {2}TG105 shell-syntax$/m);
    expect(stdout).toContain(
      'to do: There is no shell that could connect several commands, or send output to a file. Put the line into the file scripts/redirected.sh',
    );
  });

  it('fails on a problem and says where it is', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.write('graph/tools/b.json', toolNode('b', { invok: {} }));
    const { code, stdout } = await run(['check', instance.root, '--format', 'json']);
    expect(code).toBe(1);
    const { errors, warnings, findings } = JSON.parse(stdout);
    expect([errors, warnings]).toEqual([1, 0]);
    expect(findings).toMatchObject([
      {
        code: 'invalid-node',
        severity: 'error',
        message: expect.stringContaining('invok'),
        rule: 'TG002',
        fix: expect.any(String),
        document: 'graph/tools/b.json',
        line: expect.any(Number),
        column: expect.any(Number),
      },
    ]);
  });

  it('points at the node in a document of many', async () => {
    const instance = await makeInstance();
    const piped = toolNode('piped', { invoke: { shell: 'a | b' } });
    await instance.write('graph/tools/many.json', { '@graph': [toolNode('a'), piped] });
    const { stdout } = await run(['check', instance.root]);
    const [, line] = /^graph\/tools\/many\.json\n {2}(\d+):18 +error /m.exec(stdout) ?? [];
    expect(Number(line)).toBeGreaterThan(10);
  });

  it('takes severities and required tools from the config, and counts what is silenced', async () => {
    const instance = await makeInstance([toolNode('new-one', { tier: 'experimental' })]);
    const config = { require: ['new-one'], rules: { TG109: { severity: 'off', reason: 'served elsewhere' } } };
    await instance.write('toolgraph.config.json', config);
    const { code, stdout } = await run(['check', instance.root, '--format', 'json']);
    expect(code).toBe(1);
    const { findings, silenced } = JSON.parse(stdout);
    expect(findings).toMatchObject([
      { rule: 'TG202', document: 'toolgraph.config.json', pointer: '/require/0', line: 3, column: 5 },
    ]);
    expect(silenced).toMatchObject([{ rule: 'TG109', severity: 'warning', reason: 'served elsewhere' }]);
    expect((await run(['check', instance.root])).stdout).toMatch(/^1 error, 0 warnings, 1 silenced by the config; /m);
  });

  it('finds the same at a start that takes over what an earlier one made', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('b', { tier: 'experimental' })]);
    const first = await run(['check', instance.root]);
    expect(first.stdout).toContain('TG109 tier');
    expect(await run(['check', instance.root])).toEqual(first);
  });

  it('prints workflow commands for GitHub, and words to stderr', async () => {
    const { root } = await makeInstance([toolNode('new-one', { tier: 'experimental' })]);
    const { code, stdout, stderr } = await run(['check', root, '--format', 'github']);
    expect(stdout).toMatch(
      /^::warning file=graph\/tools\/new-one\.json,line=16,col=11,title=TG109 tier::new-one: .*\n$/,
    );
    expect([code, stderr]).toEqual([0, '0 errors, 1 warning; 0 tools served\n']);
  });

  it('prints SARIF from which the instance and its documents are found', async () => {
    const instance = await makeInstance([toolNode('a', { description: 'Counts\u200b words.' })]);
    const { code, stdout } = await run(['check', instance.root, '--format', 'sarif']);
    const [{ results, originalUriBaseIds }] = JSON.parse(stdout).runs;
    expect(code).toBe(1);
    expect(results).toMatchObject([{ ruleId: 'TG205', level: 'error' }]);
    const [{ physicalLocation }] = results[0].locations;
    expect(physicalLocation.region.startLine).toBeGreaterThan(1);
    const file = new URL(physicalLocation.artifactLocation.uri, originalUriBaseIds.SRCROOT.uri);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ id: 'a' });
  });

  it('refuses a format that there is not, with exit code 2', async () => {
    const { root } = await makeInstance();
    const { code, stderr } = await run(['check', root, '--format', 'xml']);
    expect(code).toBe(2);
    expect(stderr).toContain('text, json, sarif, github');
  });
});
