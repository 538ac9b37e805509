import { builtinTypesId } from '../../schemas/types.js';

/** Paths of the files of a new instance, from its root. */
export const initPaths = {
  tool: 'graph/tools/disk-usage.json',
  skill: 'graph/skills/disk-space.md',
  config: 'toolgraph.config.json',
} as const;

/**
 * What `toolgraph init` writes, by path: a config, one Tool that every Linux and macOS can run and that changes nothing, and the skill
 * that it satisfies. `schemas` is the folder of the JSON Schemas for editors, from the root of the instance, where one is there. Pure.
 */
export function initFiles(name: string, schemas?: string): ReadonlyMap<string, string> {
  const schema = (file: string, start: string): { $schema?: string } =>
    schemas === undefined ? {} : { $schema: `${start}${schemas}/${file}.schema.json` };
  return new Map([
    [initPaths.tool, json({ ...schema('tool', '../../'), ...diskUsage })],
    [initPaths.skill, diskSpace],
    // The IRIs of the nodes are made from the name: stated, it does not change with the folder.
    [initPaths.config, json({ ...schema('config', './'), name })],
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

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
