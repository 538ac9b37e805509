/** A secret that stands in a text. */
export interface SecretText {
  /** `a token of GitHub`. */
  readonly what: string;
  readonly text: string;
}

/** By the prefixes that the issuers give their tokens, so that they can be found. */
const secrets: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/u],
  ['a token of GitLab', /\bglpat-[A-Za-z0-9_-]{20,}/u],
  ['a key of AWS', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/u],
  ['a token of Slack', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/u],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}/u],
  ['a key of OpenAI or Anthropic', /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}/u],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}/u],
  ['a JSON Web Token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+/u],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/u],
  ['a password in a URL', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@<>${}]+:(?![<${*x])[^\s/@<>${}]{3,}@/u],
  [
    'the value of an option for a secret',
    /(?<=(?:^|\s)--(?:password|passwd|token|api-?key|secret|client-secret|access-token|auth-token)[ =])(?=[^\s]*\d)["']?[A-Za-z0-9_+/.][A-Za-z0-9_+/.-]{7,}/iu,
  ],
];

/** What in a text looks like a secret, of each kind in turn. */
export function secretsIn(text: string): SecretText[] {
  return secrets.flatMap(([what, pattern]) =>
    Array.from(text.matchAll(new RegExp(pattern, `${pattern.flags}g`)), ([found]) => ({ what, text: found })),
  );
}

/** Enough to find it, too little to use it. */
export function masked(secret: string): string {
  return `${secret.slice(0, Math.min(8, Math.floor(secret.length / 3)))}…`;
}
