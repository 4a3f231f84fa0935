/**
 * `Intl` and the methods that format for a locale. The engine of the sandbox has none, so the build's own formats the values: only
 * JSON goes out, and only text comes back. Without a time zone, dates are formatted in UTC; without a locale, in American English.
 */
const world = globalThis as unknown as Record<string, unknown>;
const askHost = world.docentFormat as (request: string) => string;
delete world.docentFormat;
const { parse, stringify } = JSON;

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

function ask(kind: string, method: string, locales: unknown, options: unknown, values: readonly unknown[]): unknown {
  const plain = values.map((value) => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : value));
  return parse(askHost(stringify({ kind, method, locales, options, values: plain })));
}

function formatter(kind: string, methods: readonly string[]): unknown {
  function Formatter(locales?: unknown, options?: unknown): Record<string, unknown> {
    // Wrong locales and options fail where they are written.
    ask(kind, 'resolvedOptions', locales, options, []);
    const made: Record<string, unknown> = Object.create(Formatter.prototype);
    for (const method of methods) {
      made[method] = (...values: unknown[]) => {
        if (kind !== 'DateTimeFormat' || method === 'resolvedOptions') return ask(kind, method, locales, options, values);
        const [date = Date.now()] = values;
        return ask(kind, method, locales, options, [Number(date)]);
      };
    }
    return made;
  }
  Formatter.supportedLocalesOf = (locales: unknown) => (Array.isArray(locales) ? locales : [locales]);
  return Formatter;
}

world.Intl = Object.fromEntries(Object.entries(FORMATTERS).map(([kind, methods]) => [kind, formatter(kind, methods)]));

function define(prototype: object, method: string, value: (this: never, ...args: unknown[]) => unknown): void {
  Object.defineProperty(prototype, method, { value, writable: true, configurable: true });
}

for (const prototype of [Number.prototype, BigInt.prototype])
  define(prototype, 'toLocaleString', function (this: { valueOf(): unknown }, locales, options) {
    return ask('NumberFormat', 'format', locales, options, [this.valueOf()]);
  });
for (const method of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
  define(Date.prototype, method, function (this: Date, locales, options) {
    return ask('Date', method, locales, options, [this.getTime()]);
  });
define(String.prototype, 'localeCompare', function (this: string, other, locales, options) {
  return ask('Collator', 'compare', locales, options, [String(this), String(other)]);
});
