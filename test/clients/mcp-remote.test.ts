import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { EventQueue } from '../e2e/event-queue.js';
import { serveEnv, startHttpServer } from '../e2e/harness.js';
import { nodePath, toolNode } from '../e2e/instance.js';
import { resultText } from './result-text.js';
import { declaredTools, writeMapped } from './served-instances.js';

const bridge = fileURLToPath(new URL('./node_modules/mcp-remote/dist/proxy.js', import.meta.url));

it('mcp-remote carries lists, calls and changes between a host on stdio and a server over HTTP', async () => {
  const instance = await writeMapped();
  const { url } = await startHttpServer(instance);
  const own = mkdtempSync(join(tmpdir(), 'toolgraph-bridge-'));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  const client = new Client({ name: 'test', version: '0.0.0' });
  const listChanges = new EventQueue<true>('list notification');
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listChanges.push(true));
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bridge, url.href, '--allow-http', '--transport', 'http-only'],
      // What it keeps of servers would otherwise stay in the home folder.
      env: serveEnv({ MCP_REMOTE_CONFIG_DIR: own }),
      stderr: 'ignore',
    }),
  );
  expect((await client.listTools()).tools).toEqual(await declaredTools(instance.root));
  expect(resultText(await client.callTool({ name: 'takes_nothing', arguments: {} }))).toBe('takes-nothing\n');
  await instance.write(nodePath('added'), toolNode('added'));
  await listChanges.next();
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('added');
});
