/** The floor of an answer over HTTP: a bare server that stringifies the value of the JSON file in argv[2] and sends it, for each request. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const value: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
