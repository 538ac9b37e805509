import { builtinTypesId } from '../../schemas/types.js';
import { jsonFile } from '../../src/json-text.js';
import { skillIri, toolIri } from '../../src/store/node-iri.js';
import { contextIri } from '../../src/store/vocabulary.js';
import { SeededRandom } from '../seeded-random.js';

/** One file of a generated instance. */
export interface CorpusFile {
  /** Relative to the instance, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Prefix of the IRIs of a generated instance; its config says so. */
export const corpusBase = 'urn:toolgraph:bench:';

/** As in a harness that sorts its tools by area. */
const filesPerFolder = 50;

/**
 * `count` Tool nodes, one a file, the same for the same seed. They vary as the 42 real ones of the fixture do that toolgraph was
 * built with: a description of 100 to 600 characters, about four ports with an `arg` each, one to three skills, `selection` on some.
 * Each states its context, type and IRIs in full, so that any JSON-LD processor makes the same triples of the same bytes.
 */
export function corpus(count: number, seed: number): CorpusFile[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const id = `${random.pick(verbs)}-${random.pick(nouns)}-${i}`;
    const folder = `group-${String(Math.floor(i / filesPerFolder)).padStart(3, '0')}`;
    return { path: `graph/tools/${folder}/${id}.json`, text: jsonFile(toolNode(id, random)) };
  });
}

/** The text of a node with another description: the edit of which clients are told. */
export function withDescription(text: string, description: string): string {
  return jsonFile({ ...(JSON.parse(text) as object), description });
}

function toolNode(id: string, random: SeededRandom): object {
  const [verb = '', noun = ''] = id.split('-');
  const command = random.pick(commands);
  return {
    '@context': contextIri,
    '@type': 'Tool',
    '@id': toolIri(corpusBase, id),
    id,
    title: `${verb} the ${noun} (${id})`,
    description: words(random, skewed(random, 100, 600)),
    effect: 'read',
    ...(random.chance(0.4) ? { idempotent: true, openWorld: false } : {}),
    install: random.chance(0.5) ? { none: true } : { cli: `make ${id}` },
    invoke: { shell: command },
    io: { inputs: inputs(random), outputs: [output(random)] },
    satisfies: random.sample(skills, random.between(1, 3)).map((name) => skillIri(corpusBase, name)),
    requires: { runtime: [command.split(' ')[0]], network: false },
    ...(random.chance(0.3) ? { selection: selection(random) } : {}),
    ...(random.chance(0.2) ? { limits: { timeoutMs: random.between(1, 60) * 1000 } } : {}),
  };
}

function inputs(random: SeededRandom): object[] {
  const flags = random.sample(ports, random.between(1, 6)).map(({ name, type }) => ({
    name,
    schema: typeIri(type),
    ...(random.chance(0.7) ? { description: words(random, random.between(30, 120)) } : {}),
    required: random.chance(0.3),
    arg: { flag: `--${name}`, ...(random.chance(0.3) && type !== 'Flag' ? { joined: true } : {}) },
  }));
  if (!random.chance(0.4)) return flags;
  const schema = typeIri('Path');
  return [...flags, { name: 'paths', schema, description: words(random, 60), repeated: true, arg: { positional: 0 } }];
}

function output(random: SeededRandom): object {
  return { name: 'report', schema: typeIri('Text'), description: words(random, random.between(30, 120)) };
}

function selection(random: SeededRandom): object {
  return { when: words(random, 120), limits: words(random, 80), ...(random.chance(0.5) ? { cost: 'seconds' } : {}) };
}

function typeIri(name: string): string {
  return `${builtinTypesId}#/$defs/${name}`;
}

/** Most of the real descriptions are short: a quarter of them is under 130 characters. */
function skewed(random: SeededRandom, low: number, high: number): number {
  return Math.round(low + (high - low) * random.next() ** 3);
}

/** Sentences of about `length` characters. */
function words(random: SeededRandom, length: number): string {
  let text = '';
  while (text.length < length) {
    const sentence = `${random.pick(verbs)} each ${random.pick(nouns)} ${random.pick(endings)}`;
    text += `${text === '' ? '' : ' '}${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  }
  return text;
}

const verbs = ['list', 'check', 'render', 'sync', 'count', 'compare', 'collect', 'inspect', 'measure', 'trace'];
const nouns = ['diagrams', 'schemas', 'sections', 'branches', 'releases', 'tables', 'links', 'figures', 'records'];
const endings = [
  'that changed since the last release',
  'for the documentation site, so that a page and its source cannot disagree',
  'and fail when one of them is stale instead of writing it',
  'below the given paths; without any, all of them',
  'as one line of JSON, for a script that reads it',
  '(the file is the source of truth, the rest is generated from it)',
];
const skills = Array.from({ length: 40 }, (_, i) => `skill-${i}`);
/** Commands of every POSIX host, so that each Tool is projected there. */
const commands = ['ls -l', 'cat', 'grep -n', 'sort -u', 'wc -l', 'head', 'tail', 'cut', 'diff -u', 'du -s'];
const ports = [
  { name: 'branch', type: 'Branch' },
  { name: 'count', type: 'Count' },
  { name: 'dry', type: 'Flag' },
  { name: 'file', type: 'FileName' },
  { name: 'format', type: 'Slug' },
  { name: 'name', type: 'Identifier' },
  { name: 'only', type: 'Word' },
  { name: 'port', type: 'Port' },
  { name: 'root', type: 'Path' },
  { name: 'script', type: 'ScriptName' },
  { name: 'since', type: 'Date' },
  { name: 'tag', type: 'SemVer' },
  { name: 'url', type: 'Url' },
  { name: 'verbose', type: 'Flag' },
];
