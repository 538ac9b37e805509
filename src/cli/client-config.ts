import { fileURLToPath } from 'node:url';

/** The JSON that registers an instance with an MCP client, by the program that runs now. `root` is an absolute path. */
export function clientConfig(instance: string, root: string): string {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  return JSON.stringify({ mcpServers: { [instance]: { command: 'node', args: [main, 'serve', root] } } });
}
