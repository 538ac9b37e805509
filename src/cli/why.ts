import { relative } from 'node:path';
import type { Command } from 'commander';
import type { TypeRegistry } from '../projection/node.js';
import { directoryArgument } from './arguments.js';
import { outputOf } from './terminal.js';

export function addWhy(program: Command): void {
  program
    .command('why')
    .summary('tell everything that is known of one tool')
    .description(
      'Tells everything that is known of one tool: its state and the reason, arm, source, skills, inputs, last calls.',
    )
    .argument('<ID>', 'id or MCP name of the tool')
    .addArgument(directoryArgument())
    .option('--json', 'print JSON')
    .action(why);
}

/** How many of the records of its calls are shown. */
const lastCalls = 5;

async function why(id: string, root: string, options: { json?: true }): Promise<void> {
  const { readOnce } = await import('./one-shot.js');
  const { explain } = await import('./explain.js');
  const { createLocator } = await import('../ingest/locate.js');
  const { recordedCalls } = await import('./recorded-calls.js');
  const { findTools, unknownToolMessage } = await import('./find-tool.js');
  const { printExplanation } = await import('./print/explanation.js');
  const { jsonText, noticeLine } = await import('./print/plain.js');
  const stdout = outputOf(process.stdout, process.env);
  const directory = relative(process.cwd(), root);
  await readOnce(root, {}, async (_, service) => {
    const generation = await service.loadModules();
    const { skills, nodes } = service;
    const { members } = await service.examine();
    const typesOf = (instance: string): TypeRegistry => members.get(instance)?.types ?? new Map();
    const knowledge = { generation, skills, nodes, locate: createLocator(root), typesOf };
    const found = await Promise.all(
      findTools(id, generation, nodes).map(async (tool) => {
        const calls = await recordedCalls(root, process.env, { tool: tool.iri, limit: lastCalls });
        return { ...explain(tool, knowledge), calls: calls?.records ?? [] };
      }),
    );
    if (found.length === 0) {
      outputOf(process.stderr, process.env).lines([noticeLine(unknownToolMessage(id, generation, nodes))]);
      process.exitCode = 1;
      return;
    }
    if (options.json) stdout.lines([jsonText(found.length === 1 ? found[0] : found)]);
    else stdout.lines(found.flatMap((known) => printExplanation(known, directory, stdout)));
  });
}
