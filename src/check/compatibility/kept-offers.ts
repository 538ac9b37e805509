import { type Declaration, definitionKey } from '../../../schemas/declaration.js';
import type { RunnableArm, Tool } from '../../../schemas/tool.js';
import { project } from '../../projection/project.js';
import { hostQuestions } from '../../projection/requirements.js';
import { toolIdIn } from '../../store/node-iri.js';
import type { KeptPart } from '../../store/provenance/generation-reader.js';
import type { CheckedMember } from '../rule.js';
import { type OfferedTool, willingHost } from './offered-tool.js';

/**
 * What a generation of the past offered. Its declarations are made again from the nodes as they were and the types as they are now; one
 * whose digest is not the one that its clients were told is left out, so that nothing is compared with what never was.
 */
export function keptOffers(parts: readonly KeptPart[], members: ReadonlyMap<string, CheckedMember>): OfferedTool[] {
  return parts.flatMap((part): OfferedTool[] => {
    const { kind, iri, instance, document, pointer, code, reason } = part;
    if (iri === null) return [];
    const id = toolIdIn(iri) ?? iri;
    const known = { id, iri, name: part.name ?? id.replaceAll('-', '_') };
    const place = { ...(document === null ? {} : { document }), ...(pointer === null ? {} : { pointer }) };
    if (kind !== 'declaration') {
      const state = {
        kind: kind === 'omission' ? 'withheld' : 'problem',
        code: code ?? '',
        reason: reason ?? '',
      } as const;
      return [{ ...known, ...place, state }];
    }
    const tool = part.node as Tool | undefined;
    const member = members.get(instance ?? '');
    const declaration = tool === undefined || member === undefined ? undefined : declaredAgain(tool, part, member);
    const state = {
      kind: 'offered',
      ...(declaration === undefined ? {} : { declaration }),
      ...(part.definition === null ? {} : { definition: part.definition }),
      ...(tool === undefined ? {} : { tool }),
    } as const;
    return [{ ...known, ...place, state }];
  });
}

/** The declaration that has the digest of the part, by whichever arm it was run then. */
function declaredAgain(
  tool: Tool,
  { iri, name, document, definition }: KeptPart,
  member: CheckedMember,
): Declaration | undefined {
  const { types, verdicts, config } = member;
  const nodes = [{ iri: iri ?? '', document: document ?? '', pointer: '', tool }];
  const { runtimes, env, paths } = hostQuestions(nodes);
  const all = (names: ReadonlySet<string>): Map<string, boolean> => new Map(Array.from(names, (one) => [one, true]));
  const host = {
    ...{ ...willingHost(nodes), os: tool.requires?.os?.[0] ?? 'linux' },
    ...{ runtimes: all(runtimes), env: all(env), paths: all(paths) },
  };
  const orders: (readonly RunnableArm[])[] = [config.arms ?? allArms, ...allArms.map((arm) => [arm])];
  // The tiers and the prefix of the config may have been others.
  const prefix = prefixOf(name ?? '', tool.id);
  for (const arms of orders) {
    const tiers = tool.tier === 'internal' ? [] : [tool.tier];
    const options = { tiers, arms, ...(prefix === undefined ? {} : { prefix }) };
    const { entries } = project({ tools: nodes, types, verdicts, problems: [], host, options });
    const [entry] = entries.values();
    if (entry?.declaration._meta[definitionKey] === definition) return entry?.declaration;
  }
  return undefined;
}

const allArms = ['inProcess', 'shell', 'container'] as const;

function prefixOf(name: string, id: string): string | undefined {
  const bare = `_${id.replaceAll('-', '_')}`;
  return name.endsWith(bare) ? name.slice(0, -bare.length) : undefined;
}
