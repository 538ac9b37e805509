// Runs the conformance suite of MCP against the built command line, on an instance that has what the suite asks for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Check, runReport } from './conformance/report.js';
import { LineProcess } from './line-process.js';
import { packageRoot } from './package-root.js';

const root = packageRoot(import.meta.url);
const suite = join(root, 'test/clients/node_modules/@modelcontextprotocol/conformance');
const revisions = ['2025-11-25', '2026-07-28'];
const startMs = 60_000;

if (!existsSync(suite)) {
  console.error('the conformance suite is not installed; run: npm ci --prefix test/clients');
  process.exitCode = 2;
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'toolgraph-conformance-'));
  try {
    await runAll(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function runAll(scratch: string): Promise<void> {
  const instance = join(scratch, 'instance');
  cpSync(join(root, 'test/fixtures/conformance'), instance, { recursive: true });
  const server = await startServer(instance);
  try {
    for (const revision of revisions) {
      const { lines, isGood } = await runSuite(server.url, revision, join(scratch, revision));
      for (const line of lines) console.log(line);
      if (!isGood) process.exitCode = 1;
    }
  } finally {
    server.process.kill('SIGTERM');
    await server.process.closed;
  }
}

/** The suite wants the name of the host, to see whether another one is refused. */
async function startServer(instance: string): Promise<{ readonly process: LineProcess; readonly url: string }> {
  let said = '';
  let tell: (url: string) => void = () => {};
  const address = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const served = new LineProcess(join(root, 'dist/src/cli/main.js'), ['serve', instance, '--http', '127.0.0.1:0'], {
    onLine: () => {},
    onErrorText: (text) => {
      said += text;
      const [, port] = /listening on http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(said) ?? [];
      if (port !== undefined) tell(`http://localhost:${port}/mcp`);
    },
  });
  const late = setTimeout(() => served.kill(), startMs);
  const url = await Promise.race([address, served.closed]);
  clearTimeout(late);
  if (url === undefined) throw new Error(`the server did not start: ${served.errors}`);
  return { process: served, url };
}

async function runSuite(url: string, revision: string, results: string) {
  const expectedFile = join(root, `scripts/conformance/${revision}.yaml`);
  const child = spawn(
    process.execPath,
    [
      ...['--import', new URL('./conformance/register-fs.js', import.meta.url).href, join(suite, 'dist/index.js')],
      ...['server', '--url', url, '--requirements', revision, '--expected-failures', expectedFile, '-o', results],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const report = runReport({
    ...{ revision, exitCode, checks: readChecks(results) },
    required: serverScenarios(join(suite, `requirements/${revision}.yaml`)),
    expected: serverScenarios(expectedFile),
  });
  if (!report.isGood) console.error(output.slice(-4000));
  return report;
}

/** The suite writes a folder `server-<scenario>-<time>` for each scenario. */
function readChecks(results: string): Map<string, readonly Check[]> {
  const folders = existsSync(results) ? readdirSync(results) : [];
  return new Map(
    folders.flatMap((folder) => {
      const [, scenario] = /^server-(.+?)-\d{4}-\d{2}-\d{2}T/.exec(folder) ?? [];
      const file = join(results, folder, 'checks.json');
      return scenario === undefined || !existsSync(file)
        ? []
        : [[scenario, JSON.parse(readFileSync(file, 'utf8')) as Check[]]];
    }),
  );
}

function serverScenarios(file: string): string[] {
  return (parse(readFileSync(file, 'utf8')) as { readonly server: string[] }).server;
}
