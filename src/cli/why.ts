import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Candidate } from '../find-tool.js';
import type { Generation } from '../projection/generation.js';
import type { Service } from '../service.js';
import { directoryArgument } from './arguments.js';
import type { Explanation } from './explain.js';
import type { SampleSource } from './sample-arguments.js';
import { outputOf } from './terminal.js';

export function addWhy(program: Command): void {
  program
    .command('why')
    .summary('tell everything that is known of one tool, or of a view')
    .description(
      'Tells everything that is known of one tool: its state and the reason, arm, source, revision, skills, inputs, alternatives, last calls. Of a view: state, source, parameters and query.',
    )
    .argument('<ID>', 'id or MCP name of the tool, or id of the view')
    .addArgument(directoryArgument())
    .option('--json', 'print JSON')
    .action(why);
}

/** How many of the records of its calls are shown. */
const lastCalls = 5;

async function why(id: string, root: string, options: { json?: true }): Promise<void> {
  const { readOnce } = await import('./one-shot.js');
  const { createLocator } = await import('../ingest/locate.js');
  const { unknownToolMessage } = await import('../find-tool.js');
  const { explainViews } = await import('./explained-view.js');
  const { printExplanation, printViewExplanation } = await import('./print/explanation.js');
  const { jsonText, noticeLine } = await import('./print/plain.js');
  const stdout = outputOf(process.stdout, process.env);
  const directory = relative(process.cwd(), root);
  await readOnce(root, {}, async (_, service) => {
    const generation = await service.loadModules();
    const tools = await explainTools(id, root, service, generation);
    const views = tools.length === 0 ? explainViews(id, generation, createLocator(root)) : [];
    const known = [...tools, ...views];
    if (known.length === 0) {
      outputOf(process.stderr, process.env).lines([noticeLine(unknownToolMessage(id, generation, service.nodes))]);
      process.exitCode = 1;
      return;
    }
    if (options.json) stdout.lines([jsonText(known.length === 1 ? known[0] : known)]);
    else {
      stdout.lines(tools.flatMap((tool) => printExplanation(tool, directory, stdout)));
      stdout.lines(views.flatMap((view) => printViewExplanation(view, stdout)));
    }
  });
}

/** The Tools that have this id, name or IRI, with their last calls; what a node calls secret is masked. */
async function explainTools(
  id: string,
  root: string,
  service: Service,
  generation: Generation,
): Promise<Explanation[]> {
  const { explain } = await import('./explain.js');
  const { check } = await import('../check/check.js');
  const { createLocator, locateFindings } = await import('../ingest/locate.js');
  const { maskSecrets } = await import('./mask-secrets.js');
  const { recordedCalls } = await import('../recorded-calls.js');
  const { findTools } = await import('../find-tool.js');
  const { heldRevision } = await import('./held-revision.js');
  const { skills, nodes } = service;
  const examined = await service.examine();
  const findings = locateFindings(check(examined).findings, root);
  const nothing = { types: new Map(), verdicts: new Map() };
  const typesOf = (instance: string) => examined.members.get(instance) ?? nothing;
  const candidates = findTools(id, generation, nodes);
  const samples = await sampleSource(candidates, root);
  const knowledge = { generation, skills, nodes, locate: createLocator(root), typesOf, findings, samples };
  return Promise.all(
    candidates.map(async (tool) => {
      const calls = await recordedCalls(root, process.env, { tool: tool.iri, limit: lastCalls });
      const explained = explain(tool, knowledge);
      const held = heldRevision(root, process.env, explained);
      const known = { ...explained, ...(held === undefined ? {} : { held }), calls: calls?.records ?? [] };
      return maskSecrets(known, tool.entry?.tool ?? tool.node?.tool);
    }),
  );
}

/** With a word of each pattern that an example needs. */
async function sampleSource(candidates: readonly Candidate[], root: string): Promise<SampleSource> {
  const { PatternQuestions } = await import('../check/contract/pattern-question.js');
  const { sampleArguments } = await import('./sample-arguments.js');
  const patterns = new PatternQuestions();
  const source = { patterns, isPath: (text: string) => !text.includes('\0') && existsSync(resolve(root, text)) };
  for (const { entry } of candidates) {
    if (entry !== undefined) sampleArguments(entry.declaration.inputSchema, source);
  }
  const questions = patterns.take();
  if (questions.length === 0) return source;
  const { answerQuestions } = await import('../patterns/answer.js');
  const answers = await answerQuestions(questions);
  for (const [i, question] of questions.entries()) patterns.put(question, answers[i] ?? { kind: 'undecided' });
  return source;
}
