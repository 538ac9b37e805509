import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import pc from 'picocolors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printRows } from '../../src/cli/print/query-result.js';
import { createService, type Service } from '../../src/service.js';
import { prefixesOf } from '../../src/store/query/query-prefixes.js';
import { cliPath } from '../e2e/build.js';
import { patienceMs } from '../e2e/deadline.js';
import { pageSteps, shownPattern, withChanges } from './page-steps.js';
import { projectFile } from './source-files.js';

const page = projectFile('docs/provenance-queries.md');
const [preparation = '', ...sections] = page.split(/^(?=## \d+\. )/m);
const questions = sections.map((section) => ({
  title: /^## (.*)$/m.exec(section)?.[1] ?? '',
  sparql: /^```sparql\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '',
  answer: /^```text\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '',
}));

const home = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-questions-')));
const root = join(home, 'my-tools');
const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const names = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
  [`GIT_${who}_NAME`, 'Somebody'],
  [`GIT_${who}_EMAIL`, 'somebody@example.org'],
]);
const env = { HOME: home, PATH: process.env.PATH ?? '', ...git, ...Object.fromEntries(names) };

let service: Service;

/** In the folder of the instance, once there is one. A call that fails is one of what is asked about. */
async function runStep(command: string, output: string): Promise<void> {
  if (command === 'cd my-tools') return;
  const cwd = command.startsWith('toolgraph init') ? home : root;
  const line = command.replace(/^toolgraph /, `"${process.execPath}" "${cliPath}" `);
  const { all } = await execa('sh', ['-c', line], { cwd, env, extendEnv: false, reject: false, all: true });
  expect(all, command).toMatch(shownPattern(output));
}

beforeAll(async () => {
  for (const step of pageSteps(preparation)) {
    if (step.kind === 'run') await runStep(step.command, step.output);
    else if (step.kind === 'save') writeFileSync(join(root, step.path), step.text);
    else if (step.kind === 'change') {
      const path = join(root, step.path);
      writeFileSync(path, withChanges(readFileSync(path, 'utf8'), step.lines));
    }
  }
  service = createService({ root, env, watch: false });
  await service.ready;
}, 4 * patienceMs);

afterAll(async () => {
  await service?.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

describe('The page of questions to the history', () => {
  it('has ten', () => {
    expect(questions.map(({ title }) => title.split('.')[0])).toEqual(Array.from({ length: 10 }, (_, i) => `${i + 1}`));
  });

  it.each(questions)('shows what is answered: $title', async ({ sparql, answer }) => {
    const result = await service.query(sparql);
    const rows = result.kind === 'bindings' ? result : { variables: [], rows: [] };
    expect(rows.rows.length).toBeGreaterThan(0);
    const base = service.instances[0]?.config.base ?? '';
    const printed = printRows(rows, prefixesOf(base), {
      terminal: false,
      width: 80,
      colors: pc.createColors(false),
    }).join('\n');
    expect(printed).toMatch(shownPattern(answer.trimEnd()));
  });
});
