/** A shorter value is found in any text by chance: to mask it would spoil records and hide nothing. */
const shortestSecret = 4;

/** Puts `[masked: NAME]` wherever the value of a variable stands as it is. Pure. */
export class SecretMask {
  readonly #names = new Map<string, string>();
  readonly #pattern: RegExp | undefined;

  /** The secrets are the values that the variables `names` have in `env`; those of fewer than 4 characters are not masked. */
  constructor(env: Readonly<Record<string, string | undefined>>, names: readonly string[]) {
    for (const name of names) {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value !== undefined && value.length >= shortestSecret && !this.#names.has(value))
        this.#names.set(value, name);
    }
    if (this.#names.size === 0) return;
    // The longest first: one secret may begin with another.
    const longestFirst = [...this.#names.keys()].sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(longestFirst.map((value) => value.replace(special, '\\$&')).join('|'), 'g');
  }

  text(text: string): string {
    if (this.#pattern === undefined) return text;
    return text.replace(this.#pattern, (value) => `[masked: ${this.#names.get(value)}]`);
  }

  /** The same JSON value, masked in its strings, its keys and the digits of its numbers. It must be of bounded depth. */
  value(value: unknown): unknown {
    if (this.#pattern === undefined) return value;
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') {
      const digits = String(value);
      const masked = this.text(digits);
      return masked === digits ? value : masked;
    }
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.text(key), this.value(member)]));
  }
}

const special = /[\\^$.*+?()[\]{}|/-]/g;
