import { typeIri } from '../sample-node.js';
import { type MappingRow, row } from './row.js';

/** P9 to P12: what runs, and when it can. */
export const armsRows: readonly MappingRow[] = [
  row(
    'P9',
    'a container is given the words after its image, and the inputs after these',
    {
      invoke: { container: { image: 'x:1', command: "sync 'a b'" } },
      inputs: [{ name: 'slug', schema: typeIri('Slug'), arg: { flag: '--only' } }],
    },
    {
      called: { slug: 'ab' },
      argv: ['x:1', 'sync', 'a b', '--only', 'ab'],
    },
  ),
  row(
    'P9',
    'its inputs are bound as those of a shell arm are',
    {
      invoke: { container: { image: 'x:1', command: ['sh', '-c'] } },
      inputs: [{ name: 'slug', schema: typeIri('Slug'), arg: { positional: 0 } }],
    },
    {
      omitted: ['interpreter-slot', 'its input "slug" would become code: it is run by sh -c'],
    },
  ),
  row(
    'P9',
    'without an engine it is left out',
    { invoke: { container: 'x:1' } },
    {
      omitted: [
        'no-container-engine',
        'it runs in a container, and no engine answers: podman or docker, or the one that the config names',
      ],
    },
    { host: { engines: new Map() } },
  ),
  row(
    'P10',
    'a function is listed while its module is a file of the instance',
    { invoke: { inProcess: { module: 'x.js' } } },
    {
      omitted: ['module-not-found', 'its module x.js is not a file of the instance'],
    },
    { host: { modules: new Map() } },
  ),
  row(
    'P11',
    'what is MCP already is never projected',
    { invoke: { mcp: { tool: 'x' } } },
    {
      omitted: ['mcp-only', 'it is an MCP tool already (x): its only arm is mcp'],
    },
  ),
  row(
    'P11',
    'nor is what a person does',
    { invoke: { manual: true, mcp: { tool: 'x' } } },
    {
      omitted: ['manual-only', 'it is done by a person: its arm is manual'],
    },
  ),
  row(
    'P11',
    'with another arm it is projected from that',
    { invoke: { shell: 'echo', mcp: { tool: 'x' } } },
    {
      called: {},
      argv: ['echo'],
    },
  ),
  row(
    'P12',
    'an unmet requirement leaves the tool out, with the reason',
    { requires: { os: ['macos'] } },
    {
      omitted: ['unmet-os', 'it needs macos; this host is linux'],
    },
  ),
  row(
    'P12',
    'so does a path that it waits for',
    { when: { exists: ['package.json'] } },
    {
      omitted: ['unmet-when', 'it waits for package.json, not found in the instance'],
    },
    { host: { paths: new Map() } },
  ),
  row(
    'P12',
    'and a command that is not there',
    {},
    {
      omitted: ['command-not-found', 'its command echo is not found on PATH'],
    },
    { host: { commands: new Map() } },
  ),
];
