import { jsonFile } from '../json-text.js';

/** Versions of what a scaffold depends on, as npm writes ranges. */
export interface ScaffoldVersions {
  readonly server: string;
}

/**
 * A stdio server that lists what `mcp-tools.json` holds, byte for byte and for clients of both protocol eras, and fails each call with
 * `not_implemented` until somebody gives the tool a handler. `name` is that of the instance. Pure.
 */
export function scaffoldFiles(name: string, { server }: ScaffoldVersions): ReadonlyMap<string, string> {
  const manifest = {
    name: `${name}-mcp-server`,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=20' },
    scripts: { build: 'tsc', start: 'node server.js' },
    dependencies: { '@modelcontextprotocol/server': server },
    devDependencies: { '@types/node': '>=20', typescript: '>=5.6' },
  };
  const compiler = {
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
    },
    files: ['server.ts'],
  };
  return new Map([
    ['package.json', jsonFile(manifest)],
    ['server.ts', serverSource(name)],
    ['tsconfig.json', jsonFile(compiler)],
  ]);
}

/** The name is a slug, which needs no escapes. */
const serverSource = (name: string): string => `import { readFileSync } from 'node:fs';
import {
  type CallToolResult,
  type JsonSchemaType,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';

type Arguments = Readonly<Record<string, unknown>>;
type Handler = (args: Arguments, signal: AbortSignal) => CallToolResult | Promise<CallToolResult>;

/**
 * What each tool does, by its name in mcp-tools.json. The arguments satisfy its inputSchema when a handler is called. A tool
 * that states an outputSchema returns \`structuredContent\` too.
 */
const handlers = new Map<string, Handler>([
  // ['say_hello', ({ name }) => ({ content: [{ type: 'text', text: \`Hello \${name}\` }] })],
]);

// toolgraph build writes mcp-tools.json anew, and leaves this file as you have edited it.
const listed = JSON.parse(readFileSync(new URL('mcp-tools.json', import.meta.url), 'utf8')) as { tools: Tool[] };
const validator = new AjvJsonSchemaValidator();
const validators = new Map(
  listed.tools.map(({ name, inputSchema }) => [name, validator.getValidator<Arguments>(inputSchema as JsonSchemaType)]),
);

function createServer(): Server {
  const server = new Server(
    { name: '${name}', version: '0.0.0' },
    { capabilities: { tools: {} }, cacheHints: { 'tools/list': { ttlMs: 0, cacheScope: 'private' } } },
  );
  server.setRequestHandler('tools/list', () => listed);
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => call(params.name, params.arguments ?? {}, mcpReq.signal));
  return server;
}

async function call(name: string, args: Arguments, signal: AbortSignal): Promise<CallToolResult> {
  const validate = validators.get(name);
  if (validate === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, \`Unknown tool: \${name}\`);
  const handler = handlers.get(name);
  if (handler === undefined) return failure('not_implemented', \`\${name} is not implemented\`, { tool: name });
  const checked = validate(args);
  if (!checked.valid) return failure('invalid_params', checked.errorMessage, { tool: name });
  try {
    return await handler(args, signal);
  } catch (error) {
    console.error(error);
    return failure('internal_error', \`\${name} failed; the server's stderr says more\`, { tool: name });
  }
}

/** A failed call is a result that the model reads, never an error of the protocol. */
function failure(code: string, message: string, details: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify({ code, message, details }) }], isError: true };
}

serveStdio(createServer, { onerror: (error) => console.error(error.message) });
`;
