import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jsonFile } from '../../src/json-text.js';
import { type ExpectedTool, soundNode } from '../soak/node-file.js';

/** What clients call: one by a process, one by a function. Each gives back the text that it is given. */
export const calledTools = ['by_process', 'by_function'] as const;
export type CalledTool = (typeof calledTools)[number];

/** How many tools change in each round; one of five of them is not there. */
const movingTools = 25;
const movingPath = 'graph/tools/moving.json';

const textType = 'https://w3id.org/toolgraph/types.schema.json#/$defs/Text';
const moduleText = 'export const giveBack = ({ text }) => text;\n';

/**
 * An instance in a temporary folder whose list of tools goes from one known set to the next: all tools that change are in one document, which is
 * replaced whole, so that no list may have tools of two rounds.
 */
export class LoadInstance {
  readonly root: string;
  readonly #lasting: readonly ExpectedTool[];
  #round = 0;
  #saves = 0;

  /** `tools` are listed and never change, beside those that are called. */
  constructor(tools: number) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-load-')));
    const nodes = [...calledNodes(), ...Array.from({ length: tools }, (_, i) => lastingNode(i))];
    this.#lasting = nodes.map(expected);
    this.#write('toolgraph.config.json', jsonFile({ name: 'load', limits: { waitingCalls: 10_000 } }));
    this.#write('modules/give-back.mjs', moduleText);
    this.#write('graph/tools/lasting.json', jsonFile({ '@graph': nodes }));
    this.#writeMoving('load');
  }

  /** The round whose set the folder states. */
  get round(): number {
    return this.#round;
  }

  /** Changes what clients see. */
  nextRound(): void {
    this.#round += 1;
    this.#writeMoving('load');
  }

  /** Changes what is in the graph, and nothing that clients see. */
  changeSkills(): void {
    this.#writeMoving(`load-${this.#saves}`);
  }

  /** The tools of a round, in the order of the list. */
  toolsOf(round: number): ExpectedTool[] {
    const all = [...this.#lasting, ...movingNodes(round, 'load').map(expected)];
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #writeMoving(skill: string): void {
    this.#write(movingPath, jsonFile({ '@graph': movingNodes(this.#round, skill) }));
  }

  /** By a rename, so that nobody reads half of it. */
  #write(path: string, text: string): void {
    const absolute = join(this.root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    const saved = join(dirname(absolute), `.save-${++this.#saves}.tmp`);
    writeFileSync(saved, text);
    renameSync(saved, absolute);
  }
}

/** The round that a list is of, by the tools that change; undefined where it has none. */
export function roundOf(tools: readonly ExpectedTool[]): number | undefined {
  const { description } = tools.find(({ name }) => name.startsWith('moving_')) ?? {};
  const round = /^Round (\d+) /.exec(description ?? '')?.[1];
  return round === undefined ? undefined : Number(round);
}

function movingNodes(round: number, skill: string) {
  const numbers = Array.from({ length: movingTools }, (_, i) => i).filter((i) => (i + round) % 5 !== 0);
  return numbers.map((i) => soundNode(`moving-${i}`, `Round ${round} of a tool that changes.`, [skill]));
}

function lastingNode(i: number) {
  return soundNode(`lasting-${i}`, `The tool ${i}, which does not change while others do.`, ['load']);
}

function calledNodes() {
  const text = { name: 'text', schema: textType, required: true, arg: { stdin: true } };
  const node = (id: string, invoke: object) => {
    const description = 'Gives back its text.';
    return { id, title: `Called ${id}`, description, invoke, io: { inputs: [text] }, satisfies: ['load'] };
  };
  return [
    node('by-process', { shell: 'cat' }),
    node('by-function', { inProcess: { module: 'modules/give-back.mjs', register: 'giveBack' } }),
  ];
}

function expected({ id, description }: { readonly id: string; readonly description: string }): ExpectedTool {
  return { name: id.replaceAll('-', '_'), description };
}
