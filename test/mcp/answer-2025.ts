import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers as a server of 2025 without sessions; a list that is a text is an error with that message. */
export function answer(request: IncomingMessage, response: ServerResponse, list: object | string): void {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const initialised = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'h', version: '1' },
    };
    const result = new Map<string, object | string>([
      ['initialize', initialised],
      ['tools/list', list],
    ]).get(method);
    const message = typeof result === 'string' ? result : 'Method not found';
    const outcome = typeof result === 'object' ? { result } : { error: { code: -32601, message } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  });
}
