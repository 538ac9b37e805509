import type { Declaration } from '../../../schemas/declaration.js';
import type { Tool } from '../../../schemas/tool.js';
import type { Diagnostic } from '../../diagnostic.js';
import type { HostFacts } from '../../projection/host.js';
import { toolName } from '../../projection/name.js';
import type { ToolNode } from '../../projection/node.js';
import { nodeKey } from '../../projection/node-key.js';
import { project } from '../../projection/project.js';
import { hostQuestions } from '../../projection/requirements.js';
import { toolIdIn, toolIriIn } from '../../store/node-iri.js';
import type { CheckedInstance, CheckedMember } from '../rule.js';

/** A Tool as a caller meets it. */
export interface OfferedTool {
  readonly id: string;
  readonly iri: string;
  /** MCP name. */
  readonly name: string;
  readonly document?: string;
  readonly pointer?: string;
  readonly state:
    | {
        readonly kind: 'offered';
        /** Absent of a generation whose declaration cannot be made again. */
        readonly declaration?: Declaration;
        /** Of a generation, the digest that its clients were told: equal to another, nothing is other that they could see. */
        readonly definition?: string;
        /** The node; absent where it is no longer known. */
        readonly tool?: Tool;
      }
    | { readonly kind: 'withheld' | 'problem'; readonly code: string; readonly reason: string };
}

export interface OfferedTools {
  readonly tools: readonly OfferedTool[];
  /** Problems that are about no Tool in particular: a document that cannot be read may describe any. */
  readonly problems: readonly Diagnostic[];
}

/**
 * What an instance offers on a host that has all that its Tools ask for: two of its states are compared, not two hosts. What the nodes
 * themselves, the tiers and the arms of the config keep from being served is withheld.
 */
export function offeredTools({ generation, nodes, members }: CheckedInstance): OfferedTools {
  const found = new Map<string, OfferedTool>();
  const problems: Diagnostic[] = [];
  for (const problem of generation.problems) {
    const iri = toolIriIn(problem.subject ?? '');
    const id = iri === undefined ? undefined : toolIdIn(iri);
    if (problem.severity !== 'error') continue;
    if (iri === undefined || id === undefined) problems.push(problem);
    else
      found.set(
        nodeKey(iri, problem),
        brokenTool(problem, iri, id, members.get(problem.instance ?? '')?.config.prefix),
      );
  }
  for (const [instance, member] of members) {
    const own = nodes.filter((node) => (node.instance ?? '') === instance);
    for (const tool of judgedTools(own, member)) {
      const key = nodeKey(tool.iri, { instance });
      if (!found.has(key)) found.set(key, tool);
    }
  }
  return { tools: [...found.values()], problems };
}

function judgedTools(nodes: readonly ToolNode[], { types, verdicts, config }: CheckedMember): OfferedTool[] {
  const pointers = new Map(nodes.map(({ iri, pointer }) => [iri, pointer]));
  const unconditional = nodes.map(withoutConditions);
  const { entries, omissions } = project({
    ...{ tools: unconditional, types, verdicts, problems: [], host: willingHost(unconditional) },
    options: config,
  });
  const original = new Map(nodes.map(({ iri, tool }) => [iri, tool]));
  return [
    ...Array.from(entries.values(), ({ id, iri, name, document, declaration, tool }): OfferedTool => {
      const pointer = pointers.get(iri);
      const state = { kind: 'offered', declaration, tool: original.get(iri) ?? tool } as const;
      return { id, iri, name, document, ...(pointer === undefined ? {} : { pointer }), state };
    }),
    ...omissions.map(({ id, iri, name, document, pointer, code, reason }): OfferedTool => {
      return { id, iri, name, document, pointer, state: { kind: 'withheld', code, reason } };
    }),
  ];
}

function brokenTool(problem: Diagnostic, iri: string, id: string, prefix: string | undefined): OfferedTool {
  const { code, message, document, pointer } = problem;
  return {
    ...{ id, iri, name: toolName(id, prefix), state: { kind: 'problem', code, reason: message } },
    ...(document === undefined ? {} : { document }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

/** Without what a Tool asks of the host, but for the network, which decides how a container is run. */
function withoutConditions(node: ToolNode): ToolNode {
  const { requires, when, ...tool } = node.tool;
  return {
    ...node,
    tool: requires?.network === undefined ? tool : { ...tool, requires: { network: requires.network } },
  };
}

/** A host that has all the commands, modules and engines that these Tools ask for. */
export function willingHost(nodes: readonly ToolNode[]): HostFacts {
  const questions = hostQuestions(nodes);
  const all = (names: ReadonlySet<string>): Map<string, boolean> => new Map(Array.from(names, (name) => [name, true]));
  return {
    ...{ os: 'linux', network: true, runtimes: new Map(), env: new Map(), paths: new Map() },
    ...{ commands: all(questions.commands), modules: all(questions.modules), engines: all(questions.engines) },
  };
}
