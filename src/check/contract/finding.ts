import type { Json } from '../../../schemas/declaration.js';

/**
 * What drift there is. `error`: whoever calls by the node is refused, misled or endangered. `warning`: the server does more than the nodes
 * say, and nobody who keeps to them is hurt.
 */
const driftCodes = {
  'tool-missing': { severity: 'error', fix: 'Offer the tool again, or remove the node.' },
  'tool-undescribed': { severity: 'warning', fix: 'Write a node for it, or remove it from the server.' },
  'tool-internal': { severity: 'error', fix: 'Remove it from the server, or give the node another tier.' },
  'name-repeated': { severity: 'error', fix: 'List the name once: hosts take the first, the last or none of them.' },
  'input-refused': { severity: 'error', fix: 'Let the server accept it, or narrow the input in the node.' },
  'input-unnamed': { severity: 'error', fix: 'Let the server name the input, or remove it from the node.' },
  'input-wider': { severity: 'warning', fix: 'Say it in the node, or let the server refuse it.' },
  'input-open': { severity: 'warning', fix: 'Let the server refuse other inputs (additionalProperties: false).' },
  'output-wider': {
    severity: 'error',
    fix: 'Keep the output of the server to what the node says, or say it in the node.',
  },
  'output-undescribed': { severity: 'warning', fix: 'Say it in the node, or keep it out of the output.' },
  'output-narrower': { severity: 'warning', fix: 'Narrow the output in the node.' },
  'hint-contradicted': { severity: 'error', fix: 'Correct whichever of the two is wrong.' },
  'confirmation-missing': {
    severity: 'error',
    fix: 'Let the server require user_confirmed: true, or take requiresConfirmation out of the node.',
  },
} as const satisfies Record<string, { readonly severity: 'error' | 'warning'; readonly fix: string }>;

export type DriftCode = keyof typeof driftCodes;

/** One thing in which a server and a node differ. */
export interface Drift {
  readonly code: DriftCode;
  readonly severity: 'error' | 'warning';
  /** One line. */
  readonly message: string;
  /** Who can do what about it. */
  readonly fix: string;
  /** JSON pointer into the document of the node. */
  readonly nodePointer?: string;
  /** JSON pointer into the tool as the server lists it. */
  readonly serverPointer?: string;
  /** Arguments, or a result, that show it. */
  readonly example?: Json;
}

/** A part that the comparison does not decide. */
export interface Unchecked {
  readonly message: string;
  readonly keyword?: string;
  readonly side?: 'node' | 'server';
  /** JSON pointer into the tool as that side declares it. */
  readonly pointer?: string;
}

export function drift(
  code: DriftCode,
  message: string,
  more: Omit<Drift, 'code' | 'severity' | 'message' | 'fix'> = {},
): Drift {
  return { code, severity: driftCodes[code].severity, message, fix: driftCodes[code].fix, ...more };
}
