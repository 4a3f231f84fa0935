import { hash } from 'node:crypto';

/** What depends on nothing but a text: it is kept from one build to the next. */
export class KeptValues {
  readonly #former: ReadonlyMap<string, unknown>;
  readonly #used = new Map<string, unknown>();

  /** @param former those of the last build */
  constructor(former: ReadonlyMap<string, unknown> = new Map()) {
    this.#former = former;
  }

  /**
   * Returns what `make` would, which nobody may change.
   * @param subject names the function, and all that it depends on besides the text
   */
  of<Value>(subject: string, text: string, make: () => Value): Value {
    const key = keyOf(subject, text);
    const value = (this.#find(key) ?? make()) as Value;
    this.#used.set(key, value);
    return value;
  }

  /** The same of what takes a while. */
  async later<Value>(subject: string, text: string, make: () => Promise<Value>): Promise<Value> {
    const key = keyOf(subject, text);
    const value = (this.#find(key) ?? (await make())) as Value;
    this.#used.set(key, value);
    return value;
  }

  #find(key: string): unknown {
    return this.#used.get(key) ?? this.#former.get(key);
  }

  /** Those of this build. */
  get used(): ReadonlyMap<string, unknown> {
    return this.#used;
  }

  /** Whether the last build had others. */
  get isChanged(): boolean {
    return (
      this.#used.size !== this.#former.size ||
      [...this.#used.keys()].some((key) => !this.#former.has(key))
    );
  }
}

function keyOf(subject: string, text: string): string {
  return `${subject} ${hash('sha256', text, 'base64url')}`;
}
