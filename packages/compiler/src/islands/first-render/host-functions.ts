/**
 * `Intl`, `URL` and `URLSearchParams`. The engine of the sandbox has none, so the build's own format values and read addresses: only
 * JSON goes out, and only JSON comes back. Without a time zone, dates are formatted in UTC; without
 * a locale, in American English.
 */
const world = globalThis as unknown as Record<string, unknown>;
const askHost = world.docentHost as (request: string) => string;
delete world.docentHost;
const { parse, stringify } = JSON;
const ask = (request: object): unknown => parse(askHost(stringify(request)));

/** Constructors of `Intl` and their methods. */
const FORMATTERS: Record<string, readonly string[]> = {
  NumberFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DateTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  PluralRules: ['select', 'resolvedOptions'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DisplayNames: ['of', 'resolvedOptions'],
  Collator: ['compare', 'resolvedOptions'],
};

function format(
  kind: string,
  method: string,
  locales: unknown,
  options: unknown,
  values: readonly unknown[],
): unknown {
  const plain = values.map((value) =>
    typeof value === 'number' || typeof value === 'bigint' ? String(value) : value,
  );
  return ask({ kind, method, locales, options, values: plain });
}

function formatter(kind: string, methods: readonly string[]): unknown {
  function Formatter(locales?: unknown, options?: unknown): Record<string, unknown> {
    // Wrong locales and options fail where they are written.
    format(kind, 'resolvedOptions', locales, options, []);
    const instance: Record<string, unknown> = Object.create(Formatter.prototype);
    for (const method of methods) {
      instance[method] = (...values: unknown[]) => {
        if (kind !== 'DateTimeFormat' || method === 'resolvedOptions')
          return format(kind, method, locales, options, values);
        const [date = Date.now()] = values;
        return format(kind, method, locales, options, [Number(date)]);
      };
    }
    return instance;
  }
  Formatter.supportedLocalesOf = (locales: unknown) =>
    Array.isArray(locales) ? locales : [locales];
  return Formatter;
}

world.Intl = Object.fromEntries(
  Object.entries(FORMATTERS).map(([kind, methods]) => [kind, formatter(kind, methods)]),
);

function define(
  prototype: object,
  method: string,
  value: (this: never, ...args: unknown[]) => unknown,
): void {
  Object.defineProperty(prototype, method, { value, writable: true, configurable: true });
}

for (const prototype of [Number.prototype, BigInt.prototype])
  define(prototype, 'toLocaleString', function (this: { valueOf(): unknown }, locales, options) {
    return format('NumberFormat', 'format', locales, options, [this.valueOf()]);
  });
for (const method of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
  define(Date.prototype, method, function (this: Date, locales, options) {
    return format('Date', method, locales, options, [this.getTime()]);
  });
define(String.prototype, 'localeCompare', function (this: string, other, locales, options) {
  return format('Collator', 'compare', locales, options, [String(this), String(other)]);
});

type Pair = [name: string, value: string];

function pairsOf(init: unknown): Pair[] {
  if (init === undefined || init === null) return [];
  if (typeof init !== 'object') return ask({ query: String(init) }) as Pair[];
  const pairs =
    Symbol.iterator in init
      ? [...(init as Iterable<Iterable<unknown>>)].map((pair) => [...pair])
      : Object.entries(init);
  return pairs.map(([name, value]) => [String(name), String(value)]);
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

function readAddress(request: object): Record<string, string> {
  try {
    return ask(request) as Record<string, string>;
  } catch (error) {
    throw new TypeError(String((error as Error).message));
  }
}

class Address {
  #parts: Record<string, string>;
  constructor(href: unknown, base?: unknown) {
    this.#parts = readAddress({
      href: String(href),
      base: base === undefined ? undefined : String(base),
    });
  }
  static canParse(href: unknown, base?: unknown): boolean {
    try {
      return Boolean(new Address(href, base));
    } catch {
      return false;
    }
  }
  part(name: string): string {
    return this.#parts[name] ?? '';
  }
  change(part: string, value: string): void {
    this.#parts = readAddress({ href: this.#parts.href, part, value });
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

for (const name of Object.keys(readAddress({ href: 'about:blank' }))) {
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
