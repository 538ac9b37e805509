import type { JsonSchema } from './declaration.js';

/** `$id` of the built-in types. A port names one as `<this>#/$defs/<Name>`. */
export const builtinTypesId = 'https://w3id.org/toolgraph/types.schema.json';

/*
 * Patterns are ASCII and have no lookaround, backreference or \p, so that a host in any language can compile them. None
 * begins with "-" (refused at call time), and none admits a shell-active character (DESIGN decision 7); the prover shows it.
 */
const pathPattern = (() => {
  const rest = '[A-Za-z0-9_.@%+=,:-]*';
  // At most one leading dot, then no dot: `.github` is a segment, `..` is none.
  const first = `\\.?[A-Za-z0-9_]${rest}`;
  const segment = `\\.?[A-Za-z0-9_@%+=,:-]${rest}`;
  return `^(?:\\.|${first}(?:/${segment})*/?)$`;
})();
const hostName = (() => {
  // Without the 63 characters of a label (RFC 1035): counting makes the analysis of the pattern many times slower.
  const label = '[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*';
  return `${label}(?:\\.${label})*`;
})();
const branchPattern = (() => {
  // git-check-ref-format(1): no component begins or ends with a dot, and no two dots follow each other.
  const component = '[A-Za-z0-9_][A-Za-z0-9_@%+=,-]*(?:\\.[A-Za-z0-9_@%+=,-]+)*';
  return `^${component}(?:/${component})*$`;
})();
const semVerPattern = (() => {
  // semver.org, items 2, 9 and 10: no leading zero in a number; identifiers are dot separated.
  const number = '(?:0|[1-9][0-9]*)';
  const prerelease = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
  const build = '[0-9A-Za-z-]+';
  return `^${number}\\.${number}\\.${number}(?:-${prerelease}(?:\\.${prerelease})*)?(?:\\+${build}(?:\\.${build})*)?$`;
})();

const wordPattern = (() => {
  const rest = '[A-Za-z0-9_.:,=@%+-]*';
  // No segment is `..`, because a command may take the word for a path.
  const segment = `\\.?[A-Za-z0-9_:,=@%+-]${rest}`;
  return `^[A-Za-z0-9_]${rest}(?:/(?:${segment})?)*$`;
})();

/** Types whose every value may stand in argv. */
const argvTypes = {
  Slug: {
    title: 'Slug',
    description: 'A short name of lower-case letters and digits, with single hyphens between, such as release-notes',
    type: 'string',
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    maxLength: 128,
    examples: ['release-notes', 'v2'],
  },
  Identifier: {
    title: 'Identifier',
    description: 'A name as in a programming language: letters, digits and _, not beginning with a digit',
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    maxLength: 128,
    examples: ['main', 'MAX_SIZE'],
  },
  Word: {
    title: 'Word',
    description:
      'One word of plain text without spaces: letters, digits and _ . : , = @ % + / -, beginning with a letter, a digit or _; after a / at most one dot',
    type: 'string',
    pattern: wordPattern,
    maxLength: 1024,
    examples: ['createService', 'node:fs'],
  },
  ScriptName: {
    title: 'Script name',
    description: 'The name of a script, task or target: letters, digits and . _ : -, such as build:docs',
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
    maxLength: 128,
    examples: ['build:docs', 'test'],
  },
  PackageName: {
    title: 'Package name',
    description: 'The name of a package in a registry, with its scope if it has one, such as vitest or @types/node',
    type: 'string',
    pattern: '^(?:@[a-z0-9][a-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*$',
    maxLength: 214,
    examples: ['vitest', '@types/node'],
  },
  RepositoryName: {
    title: 'Repository name',
    description: 'A hosted repository as owner/name, such as nodejs/node',
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9_][A-Za-z0-9._-]*$',
    maxLength: 140,
    examples: ['nodejs/node'],
  },
  FileName: {
    title: 'File name',
    description: 'The name of one file, without any folder: letters, digits and . _ @ % + = , : -',
    type: 'string',
    pattern: '^\\.?[A-Za-z0-9_][A-Za-z0-9_.@%+=,:-]*$',
    maxLength: 255,
    examples: ['README.md', '.gitignore'],
  },
  Path: {
    title: 'Path',
    description:
      'A path of a file or folder inside the instance, relative to its root, with / between segments. No .. segment, no leading /, no spaces or wildcards. "." is the root itself',
    type: 'string',
    pattern: pathPattern,
    maxLength: 1024,
    examples: ['src/index.ts', '.github/workflows', '.'],
  },
  Url: {
    title: 'URL',
    description:
      'An http or https URL of a host, an optional port and a path. No user, no query (?), no fragment (#): these hold characters that a shell acts on',
    type: 'string',
    pattern: `^https?://${hostName}(?::[0-9]{1,5})?(?:/[A-Za-z0-9_.@%+=,:/-]*)?$`,
    maxLength: 2048,
    examples: ['https://example.org/a/b.html', 'http://localhost:8080'],
  },
  HostName: {
    title: 'Host name',
    description: 'A DNS host name or an IPv4 address, such as example.org; no port',
    type: 'string',
    pattern: `^${hostName}$`,
    maxLength: 253,
    examples: ['example.org', '127.0.0.1'],
  },
  Email: {
    title: 'E-mail address',
    description: 'One e-mail address without a display name, of letters, digits and . _ % + - before the @',
    type: 'string',
    pattern: `^[A-Za-z0-9_][A-Za-z0-9_.%+-]*@${hostName}$`,
    maxLength: 254,
    examples: ['ada@example.org'],
  },
  Branch: {
    title: 'Branch',
    description: 'The name of a git branch or tag, such as main or feature/new-parser',
    type: 'string',
    pattern: branchPattern,
    maxLength: 244,
    examples: ['main', 'feature/new-parser', 'v1.2.0'],
  },
  CommitSha: {
    title: 'Commit',
    description: 'The hash of a git commit in lower-case hexadecimal, whole or cut to 7 digits or more',
    type: 'string',
    pattern: '^[0-9a-f]{7,64}$',
    examples: ['f4ee4c2'],
  },
  Sha256: {
    title: 'SHA-256',
    description: 'A SHA-256 digest: 64 lower-case hexadecimal digits',
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  },
  Uuid: {
    title: 'UUID',
    description: 'A UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12',
    type: 'string',
    pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
    examples: ['6f1c2d3e-4b5a-4968-8776-655443322110'],
  },
  SemVer: {
    title: 'Semantic version',
    description: 'A version by semver.org: major.minor.patch, with an optional -prerelease and +build',
    type: 'string',
    pattern: semVerPattern,
    maxLength: 256,
    examples: ['1.4.0', '2.0.0-rc.1+build.5'],
  },
  MediaType: {
    title: 'Media type',
    description: 'A media type without parameters, such as text/markdown or application/ld+json',
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9.+_-]*/[A-Za-z0-9][A-Za-z0-9.+_-]*$',
    maxLength: 255,
    examples: ['text/markdown', 'application/ld+json'],
  },
  Locale: {
    title: 'Locale',
    description: 'A language tag by BCP 47, such as en, fr-CA or zh-Hant-TW',
    type: 'string',
    pattern: '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
    maxLength: 64,
    examples: ['en', 'fr-CA', 'zh-Hant-TW'],
  },
  Date: {
    title: 'Date',
    description: 'A calendar date as YYYY-MM-DD',
    type: 'string',
    format: 'date',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    examples: ['2026-11-30'],
  },
  Timestamp: {
    title: 'Timestamp',
    description: 'A moment by RFC 3339 with its offset, as YYYY-MM-DDThh:mm:ssZ or with +hh:mm in place of Z',
    type: 'string',
    format: 'date-time',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$',
    examples: ['2026-11-30T13:45:00Z', '2026-11-30T14:45:00.5+01:00'],
  },
  Duration: {
    title: 'Duration',
    description: 'A length of time as a whole number and its unit: ms, s, m (minutes), h, d or w, such as 90s or 7d',
    type: 'string',
    pattern: '^[0-9]{1,9}(?:ms|s|m|h|d|w)$',
    examples: ['90s', '7d'],
  },
  Integer: {
    title: 'Integer',
    description: 'A whole number, which may be negative',
    type: 'integer',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  PositiveInteger: {
    title: 'Positive integer',
    description: 'A whole number, 1 or greater',
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  Count: {
    title: 'Count',
    description: 'How many: a whole number, 0 or greater',
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  Port: { title: 'Port', description: 'A TCP or UDP port', type: 'integer', minimum: 1, maximum: 65_535 },
  Number: { title: 'Number', description: 'A number, which may be negative and have a fraction', type: 'number' },
  Percentage: { title: 'Percentage', description: 'A share from 0 to 100', type: 'number', minimum: 0, maximum: 100 },
  Flag: { title: 'Flag', description: 'true to switch it on; false or absent leaves it off', type: 'boolean' },
} as const satisfies Record<string, JsonSchema>;

/** Types for stdin and for outputs: their values may hold anything. */
const freeTypes = {
  Text: { title: 'Text', description: 'Plain text of any length, with any characters', type: 'string' },
  Line: {
    title: 'Line',
    description: 'One line of plain text, without a line break',
    type: 'string',
    pattern: '^[^\\r\\n]*$',
  },
  Iri: {
    title: 'IRI',
    description: 'An absolute IRI in ASCII, such as that of a node of the graph; other characters are percent-encoded',
    type: 'string',
    format: 'uri',
    pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s<>"{}|\\\\^`]*$',
    maxLength: 2048,
    examples: ['urn:toolgraph:my-project:tool/readme-sync'],
  },
  Markdown: { title: 'Markdown', description: 'A text in Markdown', type: 'string', contentMediaType: 'text/markdown' },
  Html: { title: 'HTML', description: 'A text in HTML', type: 'string', contentMediaType: 'text/html' },
  Json: {
    title: 'JSON text',
    description: 'Any JSON value, written as JSON text',
    type: 'string',
    contentMediaType: 'application/json',
  },
  JsonObject: { title: 'JSON object', description: 'A JSON object with any members', type: 'object' },
  Yaml: { title: 'YAML', description: 'A text in YAML', type: 'string', contentMediaType: 'application/yaml' },
  Csv: {
    title: 'CSV',
    description: 'Comma-separated rows, the first of them the column names',
    type: 'string',
    contentMediaType: 'text/csv',
  },
  Diff: {
    title: 'Diff',
    description: 'A patch in the unified diff format',
    type: 'string',
    contentMediaType: 'text/x-diff',
  },
} as const satisfies Record<string, JsonSchema>;

/** The built-in type vocabulary, as a type document. */
export const builtinTypes = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: builtinTypesId,
  title: 'Built-in types',
  description: 'Types for the inputs and outputs of Tool nodes, known in every instance',
  $defs: { ...argvTypes, ...freeTypes },
} as const satisfies JsonSchema;

/** Names of the built-in types that may be bound to argv. A test proves each one. */
export const argvSafeTypes: readonly string[] = Object.keys(argvTypes);

/**
 * Their patterns. A test finds each of them safe in argv and in time, so a program that knows them as safe need not analyse
 * them at its start.
 */
export const provedPatterns: readonly string[] = Object.values(argvTypes).flatMap((schema) =>
  'pattern' in schema ? [schema.pattern] : [],
);

/** Each built-in type with its IRI, in the order of the document. */
export const builtinTypeNodes: readonly { readonly iri: string; readonly schema: JsonSchema }[] = Object.entries(
  builtinTypes.$defs,
).map(([name, schema]) => ({ iri: `${builtinTypesId}#/$defs/${name}`, schema }));
