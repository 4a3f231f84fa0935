const MAX_CHARACTERS = 10_000;
const METHODS = new Set(['format', 'formatToParts', 'resolvedOptions', 'select', 'of', 'compare']);
const DATE_METHODS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;
const FORMATTERS = {
  NumberFormat: Intl.NumberFormat,
  DateTimeFormat: Intl.DateTimeFormat,
  PluralRules: Intl.PluralRules,
  RelativeTimeFormat: Intl.RelativeTimeFormat,
  ListFormat: Intl.ListFormat,
  DisplayNames: Intl.DisplayNames,
  Collator: Intl.Collator,
} as unknown as Record<string, new (locales: unknown, options: unknown) => Record<string, (...values: unknown[]) => unknown>>;

/**
 * Formats values for a locale, for code in the sandbox. Everything about the request comes from an author and is checked here.
 * @param request JSON: the constructor of `Intl` (or `Date`), its method, locales, options, and values, numbers as text
 * @returns the result as JSON
 * @throws Error for wrong locales and options (as `Intl` does), and for what the sandbox does not offer
 */
export function formatForLocale(request: string): string {
  if (request.length > MAX_CHARACTERS) throw new RangeError('the values to format are too long');
  const { kind, method, locales = 'en-US', options, values } = JSON.parse(request);
  if (!Array.isArray(values)) throw new TypeError('there is nothing to format');
  const settings = kind === 'Date' || kind === 'DateTimeFormat' ? { timeZone: 'UTC', ...options } : options;
  const dateMethod = DATE_METHODS.find((name) => name === method);
  if (kind === 'Date' && dateMethod) return JSON.stringify(new Date(Number(values[0]))[dateMethod](locales, settings));
  const Formatter = Object.hasOwn(FORMATTERS, kind) ? FORMATTERS[kind] : undefined;
  if (!Formatter || !METHODS.has(method)) throw new TypeError(`Intl.${kind}.${method} is not available while a site is built`);
  const formatter = new Formatter(locales, settings);
  const given = kind === 'DateTimeFormat' ? values.map(Number) : values;
  return JSON.stringify(formatter[method]?.(...given) ?? null);
}
