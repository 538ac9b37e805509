import type { Tool } from '../../../schemas/tool.js';
import { codes, type OmissionCode, type ProblemCode } from '../../diagnostic.js';
import type { PatternVerdicts } from '../../patterns/verdict.js';
import type { TypeRegistry } from '../../projection/node.js';
import { unreachableAdvice, unsafeAdvice } from './input-advice.js';
import { interpreterAdvice } from './interpreter-advice.js';
import { jsonMember } from './json-member.js';
import { shapeStep } from './shape-advice.js';
import { shellAdvice } from './shell-advice.js';
import { typeAdvice } from './type-advice.js';

/** What a person can do so that a tool is served. */
export interface Advice {
  /** One sentence each. */
  readonly steps: readonly string[];
  /** The place of the change: a JSON pointer from the node. Absent where there is nothing to change in the node. */
  readonly pointer?: string;
  /** What stands there, as far as it matters. */
  readonly now?: string;
  /** What can stand there instead; one of these is enough. */
  readonly change?: readonly string[];
  /** What has to be added together with the change; the steps say it too. */
  readonly with?: readonly Addition[];
}

export interface Addition {
  /** From the node. One that ends in `/-` is the end of a list (RFC 6902). */
  readonly pointer: string;
  /** The element of the list, or a member of the object at the pointer. */
  readonly text: string;
}

/** What advice is given about. */
export interface Case {
  /** One sentence, as the projection gives it. */
  readonly reason: string;
  readonly types: TypeRegistry;
  /** Of the patterns of its types; one that is missing has not been looked at. */
  readonly verdicts?: PatternVerdicts;
}

/** What to do about the state that a Tool is in, for somebody who sees a node for the first time. `tool` is what its node says. Pure. */
export function adviceFor(code: OmissionCode | ProblemCode, tool: Tool | undefined, about: Case): Advice {
  const given = tool === undefined ? undefined : advisers[code]?.(tool, about);
  return given ?? { steps: [shapeStep(about.reason) ?? codes[code].remedy] };
}

type Adviser = (tool: Tool, about: Case) => Advice | undefined;

const advisers: { readonly [Code in OmissionCode | ProblemCode]?: Adviser } = {
  internal: ({ tier }) => ({
    steps: [
      'Nothing, where it is meant so: internal tools are in the graph and never served. To serve it, change its tier.',
    ],
    pointer: '/tier',
    now: jsonMember('tier', tier),
    change: [jsonMember('tier', 'stable')],
  }),
  'mcp-only': ({ invoke }) => ({
    steps: ['Its server serves it already. To serve it from here as well, say how it is run; or remove the node.'],
    pointer: '/invoke',
    now: jsonMember('invoke', invoke),
    change: [jsonMember('invoke', { ...invoke, shell: 'the command and its fixed words' })],
  }),
  'manual-only': ({ invoke }) => ({
    steps: ['Nothing, where a person does it. Where a command can do it, name the command.'],
    pointer: '/invoke',
    now: jsonMember('invoke', invoke),
    change: [jsonMember('invoke', { ...invoke, shell: 'the command and its fixed words' })],
  }),
  'shell-syntax': shellAdvice,
  'interpreter-slot': interpreterAdvice,
  'unreachable-input': unreachableAdvice,
  'unsafe-argv-input': unsafeAdvice,
  'unresolved-schema': typeAdvice,
  tier: tierAdvice,
  'unmet-os': ({ requires }, { reason }) => ({
    steps: ['Run toolgraph where it works. Where it works here too, add this system.'],
    pointer: '/requires/os',
    now: jsonMember('os', requires?.os),
    change: [jsonMember('os', [...(requires?.os ?? []), hostOf(reason)])],
  }),
  'unmet-runtime': ({ requires }, { reason }) => {
    const missing = namedIn(reason, /^it needs (.+), not found on this host$/, requires?.runtime);
    const [first = missing] = missing.split(' and ');
    return {
      steps: [
        `Install ${missing}: a runtime has to be found on the PATH that toolgraph is started with.`,
        `Where it has another name here, say so in toolgraph.config.json: ${jsonMember('host', { runtime: { [first]: 'its command' } })}.`,
      ],
      pointer: '/requires/runtime',
    };
  },
  'unmet-network': () => ({
    steps: [
      `Connect this host. Where it is connected, say so in toolgraph.config.json: ${jsonMember('host', { network: true })}.`,
    ],
    pointer: '/requires/network',
  }),
  'unmet-env': ({ requires }, { reason }) => ({
    steps: [
      `Set ${namedIn(reason, /^it needs the environment variable (.+), not set/, requires?.env)} where toolgraph is started: in a terminal with export, in an MCP client under "env" beside its command.`,
      `And permit it in toolgraph.config.json: ${jsonMember('env', requires?.env)}. Without this line no tool receives it.`,
    ],
    pointer: '/requires/env',
  }),
  'unmet-when': ({ when }, { reason }) => ({
    steps: [
      `Make ${namedIn(reason, /^it waits for (.+), not found in the instance$/, when?.exists)}: a path is taken from the root of the instance. Where it need not be there, take it out of the list.`,
    ],
    pointer: '/when/exists',
    now: jsonMember('exists', when?.exists),
  }),
  'command-not-found': commandAdvice,
  'module-not-found': ({ invoke }) => ({
    steps: ['Correct the path: it is taken from the root of the instance. Or make the module.'],
    pointer: '/invoke/inProcess/module',
    now: jsonMember('module', invoke.inProcess?.module),
  }),
  'module-failed': ({ invoke }) => ({
    steps: [`Start it by itself to see the whole error: node ${invoke.inProcess?.module ?? ''}`],
    pointer: '/invoke/inProcess/module',
  }),
  'no-container-engine': () => ({
    steps: [
      'Install podman or docker, and start it: podman info, or docker info, has to answer for the user that starts toolgraph.',
    ],
    pointer: '/invoke/container',
  }),
  'duplicate-id': ({ id }) => ({
    steps: ['Keep one of the two, or give one of them another id.'],
    pointer: '/id',
    now: jsonMember('id', id),
    change: [jsonMember('id', `${id}-2`)],
  }),
  'name-collision': ({ id }) => ({
    steps: [
      'Give one of the two another id: "-" and "_" are the same in an MCP name.',
      `Where the other is of an included instance, put a prefix before its names in toolgraph.config.json: ${jsonMember('include', [{ path: '../other', prefix: 'other' }])}.`,
    ],
    pointer: '/id',
    now: jsonMember('id', id),
  }),
};

function tierAdvice({ tier, deprecated }: Tool): Advice {
  const serve = `Serve its tier too: with --tiers stable,${tier}, or for good in toolgraph.config.json with ${jsonMember('tiers', ['stable', tier])}.`;
  const place = { pointer: '/tier', now: jsonMember('tier', tier) };
  if (deprecated !== undefined) {
    return {
      steps: [
        serve,
        'Or, where it should be used after all, remove "deprecated" and "tier" from the node, both in one edit.',
      ],
      ...place,
    };
  }
  return {
    steps: [serve, 'Or say that it is stable, when it is.'],
    ...place,
    change: [jsonMember('tier', 'stable')],
  };
}

function commandAdvice({ invoke: { shell = '' }, install }: Tool, { reason }: Case): Advice {
  const command = /^its command (.+) is /.exec(reason)?.[1] ?? shell;
  if (command.includes('/')) {
    return {
      steps: [
        `The path is taken from the root of the instance. Where the file is there, it cannot be executed yet: chmod +x ${command}`,
        'It also has to begin with a line that says what runs it, such as #!/bin/sh.',
      ],
      pointer: '/invoke/shell',
      now: jsonMember('shell', shell),
    };
  }
  return {
    steps: [
      ...installSteps(command, install),
      `Ask a terminal whether it finds it, with "command -v ${command}"; an MCP client may start toolgraph with a shorter PATH.`,
    ],
    pointer: '/invoke/shell',
    now: jsonMember('shell', shell),
  };
}

function installSteps(command: string, { cli, container, service }: NonNullable<Tool['install']> = {}): string[] {
  const ways = [
    ...(cli === undefined ? [] : [`Install ${command}, as its node says: ${cli}`]),
    ...(container === undefined ? [] : [`Its node names an image that has it: ${container}`]),
    ...(service === undefined ? [] : [`Its node names a service that offers it: ${service}`]),
  ];
  return ways.length === 0 ? [`Install ${command}.`] : ways;
}

/** The reason of `unmet-os` ends with the name of this host's system. */
function hostOf(reason: string): string {
  return reason.slice(reason.lastIndexOf(' ') + 1);
}

/** What of `all` is unmet, as the reason names it. */
function namedIn(reason: string, pattern: RegExp, all: readonly string[] = []): string {
  return pattern.exec(reason)?.[1] ?? all.join(' and ');
}
