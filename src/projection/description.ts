import type { Tool } from '../../schemas/tool.js';

const confirmation = 'Requires confirmation: ask the user first, then call with user_confirmed: true. ';

/** What the model reads (P3): the banners of P15 and P13, in this order, then the node's description, verbatim. */
export function toolDescription({ tier, deprecated, requiresConfirmation, description }: Tool): string {
  return `${tier === 'deprecated' ? deprecation(deprecated?.reason) : ''}${requiresConfirmation === true ? confirmation : ''}${description}`;
}

/** The title, unless it says no more than the name or the id (P2). */
export function toolTitle({ title, id }: Tool, name: string): string | undefined {
  const plain = comparable(title);
  return plain === comparable(name) || plain === comparable(id) ? undefined : title;
}

function deprecation(reason: string | undefined): string {
  return reason === undefined ? '[DEPRECATED] ' : `[DEPRECATED — ${reason}] `;
}

function comparable(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/gu, '');
}
