import { builtinTypesId } from '../../schemas/types.js';
import { jsonFile } from '../json-text.js';

/** Paths of the files of a new instance, from its root. */
export const initPaths = {
  tool: 'graph/tools/disk-usage.json',
  skill: 'graph/skills/disk-space.md',
  config: 'toolgraph.config.json',
} as const;

/** Where the JSON Schemas for editors lie in an instance, from its root. */
export const schemaFolders = {
  /** In a project in which toolgraph is installed: those of the version that is installed. */
  installed: 'node_modules/toolgraph/schemas/generated',
  /** Copies, for everybody else: `npx` and a global installation leave nothing in the instance that a path could name. */
  copied: 'schemas/toolgraph',
} as const;

/** The schemas that a node, a skill in JSON, or the config can name. */
export const editorSchemas = ['tool', 'skill', 'config'] as const;

/** Path of a schema in a folder of them. */
export function schemaFile(folder: string, name: (typeof editorSchemas)[number]): string {
  return `${folder}/${name}.schema.json`;
}

/**
 * What `toolgraph init` writes, by path: a config, one Tool that every Linux and macOS can run and that changes nothing, and the skill
 * that it satisfies. Both name their schema in `schemas`, a folder of `schemaFolders`. Pure.
 */
export function initFiles(name: string, schemas: string): ReadonlyMap<string, string> {
  return new Map([
    [initPaths.tool, jsonFile({ $schema: `../../${schemaFile(schemas, 'tool')}`, ...diskUsage })],
    [initPaths.skill, diskSpace],
    // The IRIs of the nodes are made from the name: stated, it does not change with the folder.
    [initPaths.config, jsonFile({ $schema: `./${schemaFile(schemas, 'config')}`, name })],
  ]);
}

const diskUsage = {
  id: 'disk-usage',
  title: 'Disk usage',
  description:
    'Prints how much disk space files and folders of this project take, in KiB, one a line. Without paths: the whole project.',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  invoke: { shell: 'du -s -k' },
  io: {
    inputs: [
      {
        name: 'paths',
        schema: `${builtinTypesId}#/$defs/Path`,
        description: 'Files or folders, relative to the project; each must exist',
        repeated: true,
        arg: { positional: 0 },
      },
    ],
    outputs: [{ name: 'usage', schema: `${builtinTypesId}#/$defs/Text`, from: { stdout: 'text' } }],
  },
  satisfies: ['disk-space'],
};

const diskSpace = `---
name: disk-space
description: Find out what takes the space on the disk
---

Begin with the whole project, then go on with the largest folder in it.
`;
