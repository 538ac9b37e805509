// Drives `npm start --silent` over pipes, as a client of each protocol era would. Prints "ok …" or "not ok …" for each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const modern = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'smoke', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const eras = {
  initialize: [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list', params: {} },
  ],
  'server/discover': [
    { id: 1, method: 'server/discover', params: modern },
    { id: 2, method: 'tools/list', params: modern },
  ],
};
const timeoutMs = 60_000;

for (const [era, messages] of Object.entries(eras)) {
  try {
    console.log(`ok npm start answers ${era}: ${await converse(messages)} tools`);
  } catch (error) {
    console.log(`not ok npm start answers ${era}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

/** Sends the messages, each request after the answer to the one before; ends stdin; returns how many tools were listed. */
async function converse(messages) {
  const child = spawn('npm', ['start', '--silent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    const exit = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let result;
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      if (message.id === undefined) continue;
      result = await answer(lines, message.id);
    }
    if (!(result?.tools?.length > 0)) throw new Error('no tool is listed');
    child.stdin.end();
    const [code, signal] = await exit;
    if (code !== 0) throw new Error(`it ended with ${signal ?? code} after the end of stdin`);
    return result.tools.length;
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
}

/** The result of request `id`. Every line on stdout must be protocol. */
async function answer(lines, id) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`stdout ended, or nothing came in ${timeoutMs} ms, before the answer to request ${id}`);
    const message = JSON.parse(value);
    if (message.id !== id) continue;
    if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
    return message.result;
  }
}
