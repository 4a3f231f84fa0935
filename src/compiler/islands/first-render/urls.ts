import { URL_PARTS } from '../host-url.ts';

/** `URL` and `URLSearchParams`. The engine of the sandbox has none, so the build reads and writes addresses: only JSON goes out and in. */
const world = globalThis as unknown as Record<string, unknown>;
const askHost = world.docentUrl as (request: string) => string;
delete world.docentUrl;
const { parse, stringify } = JSON;
const ask = (request: object): unknown => parse(askHost(stringify(request)));

type Pair = [name: string, value: string];

function pairsOf(init: unknown): Pair[] {
  if (init === undefined || init === null) return [];
  if (typeof init !== 'object') return ask({ query: String(init) }) as Pair[];
  const given =
    Symbol.iterator in init ? [...(init as Iterable<Iterable<unknown>>)].map((pair) => [...pair]) : Object.entries(init);
  return given.map(([name, value]) => [String(name), String(value)]);
}

class SearchParams {
  #pairs: Pair[];
  readonly #changed: (query: string) => void;
  constructor(init?: unknown, changed: (query: string) => void = () => {}) {
    this.#pairs = pairsOf(init);
    this.#changed = changed;
  }
  get size(): number {
    return this.#pairs.length;
  }
  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name: string): boolean {
    return this.get(name) !== null;
  }
  append(name: string, value: unknown): void {
    this.#update([...this.#pairs, [String(name), String(value)]]);
  }
  delete(name: string): void {
    this.#update(this.#pairs.filter(([key]) => key !== String(name)));
  }
  set(name: string, value: unknown): void {
    const at = this.#pairs.findIndex(([key]) => key === String(name));
    const before = at < 0 ? this.#pairs : this.#pairs.slice(0, at);
    const after = at < 0 ? [] : this.#pairs.slice(at).filter(([key]) => key !== String(name));
    this.#update([...before, [String(name), String(value)], ...after]);
  }
  sort(): void {
    this.#update(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }
  forEach(visit: (value: string, name: string, all: SearchParams) => void): void {
    for (const [name, value] of this.#pairs) visit(value, name, this);
  }
  keys = (): ArrayIterator<string> => this.#pairs.map(([name]) => name).values();
  values = (): ArrayIterator<string> => this.#pairs.map(([, value]) => value).values();
  entries = (): ArrayIterator<Pair> => this.#pairs.values();
  [Symbol.iterator](): ArrayIterator<Pair> {
    return this.entries();
  }
  toString(): string {
    return ask({ pairs: this.#pairs }) as string;
  }
  #update(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed(this.toString());
  }
}

class Address {
  #parts: Record<string, string>;
  constructor(href: unknown, base?: unknown) {
    this.#parts = Address.#read({ href: String(href), base: base === undefined ? undefined : String(base) });
  }
  static canParse(href: unknown, base?: unknown): boolean {
    try {
      return Boolean(new Address(href, base));
    } catch {
      return false;
    }
  }
  static #read(request: object): Record<string, string> {
    try {
      return ask(request) as Record<string, string>;
    } catch (error) {
      throw new TypeError(String((error as Error).message));
    }
  }
  part(name: string): string {
    return this.#parts[name] ?? '';
  }
  change(part: string, value: string): void {
    this.#parts = Address.#read({ href: this.#parts.href, part, value });
  }
  get searchParams(): SearchParams {
    return new SearchParams(this.#parts.search, (query) => this.change('search', query));
  }
  toString(): string {
    return this.part('href');
  }
  toJSON(): string {
    return this.part('href');
  }
}

for (const name of URL_PARTS) {
  Object.defineProperty(Address.prototype, name, {
    get(this: Address) {
      return this.part(name);
    },
    set(this: Address, value: unknown) {
      this.change(name, String(value));
    },
    enumerable: true,
  });
}

world.URL = Address;
world.URLSearchParams = SearchParams;
