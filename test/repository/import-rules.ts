import { posix } from 'node:path';
import { scanImports } from './import-scan.js';

/** Where files of one layer may take things from. A target is a path, or the beginning of one when it ends in `/`. */
interface Layer {
  readonly path: string;
  /** Modules of the project, for values and types. The layer itself is always allowed. */
  readonly local: readonly string[];
  /** Modules of the project, for types alone. */
  readonly types?: readonly string[];
  /** Left out: every dependency that `soleImporters` gives to no other layer. */
  readonly packages?: readonly string[];
  /** Packages of another layer that this one is measured against, or reads the files of others with. */
  readonly peers?: readonly string[];
  /** Left out: every module of Node. */
  readonly node?: readonly string[];
}

/** What every stage may use: the contracts, and pure words and orders without libraries of a stage. */
const base = [
  ...['schemas/', 'src/diagnostic.ts', 'src/json-pointer.ts', 'src/json-text.ts', 'src/text-position.ts'],
  ...['src/nearest-name.ts', 'src/code-units.ts', 'src/error-message.ts', 'src/json-object.ts', 'src/result-size.ts'],
  ...['src/visible.ts', 'src/media-type.ts'],
];
const stages = ['instance', 'patterns', 'ingest', 'store', 'projection', 'check', 'invocation'].map(
  (stage) => `src/${stage}/`,
);

/** The first layer whose path fits a file is its layer (DESIGN, Layout). */
export const layers: readonly Layer[] = [
  { path: 'schemas/', local: ['src/nearest-name.ts'], packages: ['zod'], node: [] },
  { path: 'src/diagnostic.ts', local: [], packages: [], node: [] },
  { path: 'src/json-pointer.ts', local: [], packages: [], node: [] },
  { path: 'src/json-text.ts', local: [], packages: [], node: [] },
  { path: 'src/text-position.ts', local: [], packages: [], node: [] },
  { path: 'src/code-units.ts', local: [], packages: [], node: [] },
  { path: 'src/error-message.ts', local: [], packages: [], node: [] },
  { path: 'src/json-object.ts', local: [], packages: [], node: [] },
  { path: 'src/result-size.ts', local: [], packages: [], node: [] },
  { path: 'src/media-type.ts', local: [], packages: [], node: [] },
  { path: 'src/visible.ts', local: [], packages: [], node: [] },
  { path: 'src/nearest-name.ts', local: [], packages: ['fastest-levenshtein'], node: [] },
  { path: 'src/built-module.ts', local: [], packages: [] },
  { path: 'src/instance/', local: base, types: ['src/projection/host.ts'] },
  { path: 'src/patterns/', local: ['src/built-module.ts', 'src/error-message.ts'] },
  {
    path: 'src/ingest/',
    local: [
      ...[...base, 'src/instance/', 'src/store/vocabulary.ts', 'src/store/foreign-vocabulary.ts'],
      ...[
        'src/store/node-iri.ts',
        'src/store/read-rdf.ts',
        'src/store/rdf-terms.ts',
        'src/store/history-vocabulary.ts',
      ],
    ],
  },
  {
    path: 'src/store/',
    // How a file is read whole: the same for a document and for the token of the service.
    local: [...base, 'src/built-module.ts', 'src/instance/signature.ts'],
    types: [
      ...[
        'src/ingest/document.ts',
        'src/projection/node.ts',
        'src/projection/view-state.ts',
        'src/projection/generation-parts.ts',
        'src/patterns/verdict.ts',
      ],
      'src/invocation/call-record.ts',
    ],
  },
  {
    path: 'src/projection/',
    // The one definition of a shell-active character: pure, and without the libraries of its folder.
    local: [...base, 'src/patterns/shell-active.ts'],
    types: ['src/patterns/verdict.ts'],
    packages: ['canonicalize'],
    node: ['node:crypto'],
  },
  {
    path: 'src/check/',
    // Names and vocabulary: pure, and without the libraries of their folder.
    local: [...base, 'src/projection/', 'src/store/node-iri.ts', 'src/store/vocabulary.ts'],
    types: [
      ...['src/patterns/verdict.ts', 'src/patterns/question.ts'],
      ...['src/store/stray-statements.ts', 'src/store/provenance/generation-reader.ts'],
    ],
    packages: [],
    node: [],
  },
  {
    path: 'src/build/',
    local: [...base, 'src/instance/', 'src/projection/'],
    packages: ['zod'],
    node: ['node:fs', 'node:path', 'node:crypto'],
  },
  {
    path: 'src/invocation/',
    // What a file is, and where it may be: the same for a document and for a module that is run.
    local: [...base, 'src/built-module.ts', 'src/instance/signature.ts', 'src/instance/containment.ts'],
    types: ['src/projection/'],
  },
  // Without the SDK, also by way of another file: the library and the command line import it.
  {
    path: 'src/mcp/pure.ts',
    local: [...base, 'src/mcp/resources/', 'src/mcp/generation-meta.ts', 'src/projection/sorted.ts'],
    types: ['src/'],
    packages: [],
    node: [],
  },
  { path: 'src/mcp/generation-meta.ts', local: base, packages: [], node: [] },
  {
    path: 'src/mcp/generation-report.ts',
    local: [...base, 'src/store/node-iri.ts'],
    types: ['src/'],
    packages: [],
    node: [],
  },
  {
    path: 'src/mcp/resources/',
    local: [
      ...[...base, 'src/mcp/generation-meta.ts', 'src/mcp/generation-report.ts', 'src/find-tool.ts', 'src/projection/'],
      ...[
        'src/store/node-iri.ts',
        'src/store/vocabulary.ts',
        'src/store/rdf-terms.ts',
        'src/invocation/value-issues.ts',
      ],
    ],
    types: ['src/'],
    packages: [],
    node: ['node:crypto'],
  },
  { path: 'src/mcp/', local: ['schemas/', 'src/'] },
  { path: 'src/cli/', local: ['schemas/', 'src/'] },
  { path: 'src/index.ts', local: ['schemas/', 'src/'], packages: [] },
  // The composition root: service.ts and the files beside it that it is made of.
  { path: 'src/', local: [...base, ...stages, 'src/'] },
  { path: 'scripts/bench/', local: ['schemas/', 'src/', 'scripts/'], peers: ['chokidar', 'jsonld', 'n3', 'oxigraph'] },
  { path: 'scripts/conformance.ts', local: ['scripts/'], peers: ['yaml'] },
  { path: 'scripts/', local: ['schemas/', 'src/', 'scripts/'] },
];

/** A package, or a scope that ends in `/`, and the one layer that may import it. */
const soleImporters: readonly (readonly [string, string])[] = [
  ['chokidar', 'src/ingest/'],
  ['jsonld', 'src/ingest/'],
  ['yaml', 'src/ingest/'],
  ['better-sqlite3', 'src/store/'],
  ['n3', 'src/store/'],
  ['oxigraph', 'src/store/'],
  ['refa', 'src/patterns/'],
  ['@eslint-community/regexpp', 'src/patterns/'],
  ['recheck', 'src/patterns/'],
  ['execa', 'src/invocation/'],
  ['tsx', 'src/invocation/'],
  ['ajv', 'src/invocation/'],
  ['ajv-formats', 'src/invocation/'],
  // 1.x hosts modules that register themselves on an McpServer; it does not face clients.
  ['@modelcontextprotocol/sdk', 'src/invocation/'],
  ['@modelcontextprotocol/', 'src/mcp/'],
  ['hono', 'src/mcp/'],
  ['@hono/', 'src/mcp/'],
  ['fastest-levenshtein', 'src/nearest-name.ts'],
  ['commander', 'src/cli/'],
  ['picocolors', 'src/cli/'],
];

/** Runs the modules that an instance names: no other file may import what is not written in it. */
const moduleLoader = 'src/invocation/module/load.ts';

/** Layers that nothing below them may import, whatever `local` says. The first that fits a file holds. */
const above: readonly (readonly [string, readonly string[]])[] = [
  ['src/cli/', ['src/cli/']],
  ['src/mcp/pure.ts', ['src/mcp/', 'src/cli/', 'src/index.ts']],
  ['src/mcp/resources/', ['src/mcp/', 'src/cli/', 'src/index.ts']],
  ['src/mcp/', ['src/mcp/', 'src/cli/']],
  ['src/index.ts', []],
];

/** What breaks the rule, as `file:line: sentence`. `sources`: text by path from the package root. Pure. */
export function importBreaches(sources: ReadonlyMap<string, string>, dependencies: ReadonlySet<string>): string[] {
  return [...sources].flatMap(([file, source]) => {
    const layer = layers.find(({ path }) => within(file, path));
    if (layer === undefined) return [`${file}:1: no layer of import-rules.ts has this file`];
    return scanImports(source).flatMap(({ specifier, line, typeOnly }) => {
      if (specifier === undefined && file === moduleLoader) return [];
      const breach =
        specifier === undefined
          ? 'imports a module whose name is computed'
          : breachOf(file, layer, specifier, typeOnly, dependencies);
      return breach === undefined ? [] : [`${file}:${line}: ${layer.path} ${breach}`];
    });
  });
}

function breachOf(
  file: string,
  layer: Layer,
  specifier: string,
  typeOnly: boolean,
  dependencies: ReadonlySet<string>,
): string | undefined {
  if (specifier.startsWith('.')) return localBreach(file, layer, specifier, typeOnly);
  if (specifier.startsWith('node:')) {
    return layer.node === undefined || layer.node.includes(specifier) ? undefined : `may not import ${specifier}`;
  }
  // The package's own manifest, for its version.
  if (specifier === 'toolgraph/package.json') return undefined;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const sole = soleImporters.find(([owned]) => (owned.endsWith('/') ? name.startsWith(owned) : name === owned));
  const isPeer = layer.peers?.includes(name) === true;
  if (sole !== undefined && sole[1] !== layer.path && !isPeer) return `may not import ${name}; only ${sole[1]} may`;
  if (layer.packages !== undefined && !layer.packages.includes(name)) return `may not import ${name}`;
  if (!typeOnly && !dependencies.has(name)) return `imports ${name}, which is not under dependencies in package.json`;
  return undefined;
}

function localBreach(file: string, layer: Layer, specifier: string, typeOnly: boolean): string | undefined {
  if (!specifier.endsWith('.js') && !specifier.endsWith('.json')) return `imports ${specifier} without its suffix .js`;
  const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
  const closed = above.find(([path]) => within(target, path));
  if (closed !== undefined && !closed[1].some((path) => within(file, path))) return `may not import ${target}`;
  const allowed = [layer.path, ...layer.local, ...(typeOnly ? (layer.types ?? []) : [])];
  if (allowed.some((path) => within(target, path))) return undefined;
  const forTypes = (layer.types ?? []).some((path) => within(target, path));
  return forTypes ? `may import ${target} for types only (import type)` : `may not import ${target}`;
}

function within(file: string, path: string): boolean {
  return path.endsWith('/') ? file.startsWith(path) : file === path;
}
