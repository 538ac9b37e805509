import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../cli/cli-process.js';
import { startHttpServer } from '../e2e/harness.js';
import { pageSteps, shownPattern } from './page-steps.js';
import { projectFile } from './source-files.js';

it('The page of the web beside MCP shows what is answered', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-web-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  await run(['init', 'my-tools'], { cwd: home });
  const server = await startHttpServer({ root: join(home, 'my-tools') });
  const commands = pageSteps(projectFile('docs/web.md')).flatMap((step) => (step.kind === 'run' ? [step] : []));
  expect(commands.length).toBeGreaterThan(10);
  const env = { NO_PROXY: '*', no_proxy: '*' };
  for (const { command, output } of commands) {
    const { stdout } = await execa('sh', ['-c', command.replace('127.0.0.1:8080', server.url.host)], {
      cwd: home,
      env,
    });
    expect(stdout, command).toMatch(shownPattern(output));
  }
});
