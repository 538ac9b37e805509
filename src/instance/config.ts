import { basename, join } from 'node:path';
import {
  type Config,
  ConfigSchema,
  configFileName,
  type Folder,
  type Include,
  type RuleSetting,
} from '../../schemas/config.js';
import type { Limits } from '../../schemas/limits.js';
import { type RuleName, ruleNamed } from '../../schemas/rule-ids.js';
import type { RunnableArm, ServedTier } from '../../schemas/tool.js';
import { type Diagnostic, type Place, problem } from '../diagnostic.js';
import { configFindings, type Finding, instancePath, repeatedKeyFinding } from './config-rules.js';
import { isWithin, realPath } from './containment.js';
import { readSettledFile } from './signature.js';

/** Size of a config file that is read. */
export const maxConfigBytes = 1_048_576;

/** The config with every default filled in. Names from outside are in Maps, never keys of an object. */
export interface InstanceConfig extends Pick<Config, 'prefix' | 'cwd' | 'actor' | 'engine' | 'http' | 'logLevel'> {
  /** Name of the instance: a slug. */
  readonly name: string;
  /** Prefix of the IRIs of this instance. */
  readonly base: string;
  /** Disjoint, in the form `a/b`; `.` is the instance itself. */
  readonly folders: readonly NodeFolder[];
  /** Other instances to serve with this one. */
  readonly include: readonly Include[];
  readonly tiers: readonly ServedTier[];
  readonly host: {
    readonly os?: string;
    readonly runtime: ReadonlyMap<string, boolean | string>;
    readonly network?: boolean;
  };
  readonly env: readonly string[];
  readonly daemons: 'end' | 'leave';
  readonly limits: Required<Limits>;
  readonly arms: readonly RunnableArm[];
  readonly rules: ReadonlyMap<RuleName, RuleSetting>;
  readonly require: readonly string[];
  readonly allowIris: readonly string[];
  /** In the form `a/b`: a file, or a folder with everything in it. */
  readonly ignore: readonly string[];
  readonly keepGoing: boolean;
  readonly getStateTool: boolean;
}

export interface NodeFolder extends Folder {
  /** Nothing is wrong when it is not there: the config names no folder, and includes other instances. */
  readonly optional?: true;
}

/** What is said elsewhere, before what the config says: by the command line, or by the config that includes this instance. */
export type ConfigOverrides = Partial<
  Pick<InstanceConfig, 'tiers' | 'prefix' | 'getStateTool' | 'name' | 'base' | 'folders'>
>;

/** Line and column from 1, the column in UTF-16 code units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds places in JSON text. `ingest/config-places.ts` is one; the caller passes it, because instance may not import ingest. */
export interface JsonPlaces {
  /** Place of the value at a JSON pointer (RFC 6901). */
  locate(text: string, pointer: string): Position | undefined;
  /** Place of the key that a pointer ends in. */
  locateKey(text: string, pointer: string): Position | undefined;
  /** Reason and place of the first syntax error. */
  syntaxError(text: string): (Position & { readonly message: string }) | undefined;
  /** Keys given more than once in one object. */
  repeatedKeys(text: string): readonly { readonly pointer: string; readonly key: string }[];
}

export interface ConfigReading {
  /** Defaults wherever the file is absent or invalid: look at `diagnostics` before using it. */
  readonly config: InstanceConfig;
  readonly diagnostics: readonly Diagnostic[];
  /** Of the file that was read; undefined when there is none. */
  readonly signature: string | undefined;
}

/**
 * Reads `toolgraph.config.json` in `root` (an absolute path). Never throws: what is wrong is an `invalid-config` with
 * its place, and no part of an invalid config is used. No file means defaults.
 */
export function readConfig(root: string, places?: JsonPlaces): ConfigReading {
  const realRoot = realPath(root) ?? root;
  const absolute = join(realRoot, configFileName);
  const real = realPath(absolute) ?? absolute;
  const defaults = withDefaults({}, realRoot);
  if (!isWithin(realRoot, real)) {
    const diagnostics = [configProblem('the link leads outside the instance; copy the file into the instance')];
    return { config: defaults, diagnostics, signature: undefined };
  }
  const read = readSettledFile(real, maxConfigBytes);
  if (read.state === 'missing') return { config: defaults, diagnostics: [], signature: undefined };
  if (read.state !== 'read') {
    return { config: defaults, diagnostics: [configProblem(unreadableReason[read.state])], signature: undefined };
  }
  const { config, diagnostics } = parseConfig(read.bytes, places);
  return { config: withDefaults(config, realRoot), diagnostics, signature: read.signature };
}

const unreadableReason = {
  changing: 'the file keeps changing while it is read; it is read again when it rests',
  irregular: 'expected a regular file',
  'too-large': `the file is larger than ${maxConfigBytes} bytes`,
  failed: 'the file cannot be read; check its permissions',
} as const;

function parseConfig(bytes: Uint8Array, places: JsonPlaces | undefined): { config: Config; diagnostics: Diagnostic[] } {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { config: {}, diagnostics: [configProblem('the file is not UTF-8; save it as UTF-8')] };
  }
  const broken = places?.syntaxError(text);
  if (broken !== undefined) return { config: {}, diagnostics: [syntaxProblem(broken.message, broken)] };
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { config: {}, diagnostics: [syntaxProblem(error instanceof Error ? error.message : 'syntax error')] };
  }
  const parsed = ConfigSchema.safeParse(value);
  const repeated = (places?.repeatedKeys(text) ?? []).map(({ pointer, key }) => repeatedKeyFinding(pointer, key));
  const findings = [...repeated, ...configFindings(value, parsed)];
  if (parsed.success && findings.length === 0) return { config: parsed.data, diagnostics: [] };
  return { config: {}, diagnostics: findings.map((finding) => placed(finding, text, places)) };
}

function syntaxProblem(message: string, place: Partial<Position> = {}): Diagnostic {
  const { line, column } = place;
  return configProblem(`not JSON: ${message}`, line === undefined || column === undefined ? {} : { line, column });
}

function placed({ pointer, message, ofKey }: Finding, text: string, places: JsonPlaces | undefined): Diagnostic {
  const place = ofKey ? places?.locateKey(text, pointer) : places?.locate(text, pointer);
  return configProblem(message, { pointer, ...place });
}

function configProblem(message: string, place: Place = {}): Diagnostic {
  return problem('invalid-config', message.replace(/\s+/gu, ' '), { document: configFileName, ...place });
}

const defaultLimits = {
  timeoutMs: 60_000,
  outputBytes: 1_048_576,
  documentBytes: 4_194_304,
  documents: 100_000,
  records: 100_000,
  recordDays: 365,
  historyRevisions: 100_000,
  historyDays: 365,
  concurrentCalls: 32,
  concurrentCallsPerTool: 16,
  waitingCalls: 512,
  keptOutputs: 16,
  keptOutputBytes: 268_435_456,
  keptOutputMinutes: 60,
  queryMs: 10_000,
  queryRows: 100_000,
  queryMegabytes: 1024,
  waitingQueries: 64,
} as const;

function withDefaults(config: Config, realRoot: string): InstanceConfig {
  const { $schema, name: stated, host, rules, limits, ...rest } = config;
  const name = stated ?? slug(basename(realRoot));
  return {
    ...rest,
    name,
    base: config.base ?? `urn:toolgraph:${name}:`,
    folders: foldersOf(config),
    include: (config.include ?? []).map((included) => (typeof included === 'string' ? { path: included } : included)),
    tiers: config.tiers ?? ['stable'],
    host: { ...host, runtime: new Map(Object.entries(host?.runtime ?? {})) },
    env: config.env ?? [],
    limits: { ...defaultLimits, ...limits },
    arms: config.arms ?? ['inProcess', 'shell', 'container'],
    rules: ruleSettings(rules ?? {}),
    require: config.require ?? [],
    allowIris: config.allowIris ?? [],
    ignore: (config.ignore ?? []).map(instancePath),
    keepGoing: config.keepGoing ?? false,
    daemons: config.daemons ?? 'end',
    getStateTool: config.getStateTool ?? false,
  };
}

function foldersOf({ folders, include = [] }: Config): NodeFolder[] {
  if (folders === undefined) return [{ path: 'graph', ...(include.length > 0 && { optional: true }) }];
  return folders.map((folder) => ({ ...folder, path: instancePath(folder.path) }));
}

/** By name, whether the config gives that or the id. */
function ruleSettings(rules: NonNullable<Config['rules']>): Map<RuleName, RuleSetting> {
  return new Map(
    Object.entries(rules).flatMap(([key, setting]) => {
      const name = ruleNamed(key);
      if (name === undefined || setting === undefined) return [];
      return [[name, typeof setting === 'string' ? { severity: setting } : setting]];
    }),
  );
}

function slug(folderName: string): string {
  const words = folderName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+/, '').slice(0, 63).replace(/-+$/, '') || 'instance';
}
