/**
 * State that pages keep in their URL's query string: filters, what is open, the current part of a
 * list.
 */
type Search<Name extends string> = { [Each in Name]?: Each extends Flag ? boolean : string };
type Flag = 'all' | 'create' | 'start';

const FLAGS: readonly string[] = ['all', 'create', 'start'] satisfies Flag[];

/** Reads only these names from a query string: anyone can write one. */
export function pick<Name extends string>(
  ...names: Name[]
): (search: Record<string, unknown>) => Search<Name> {
  return (search) =>
    Object.fromEntries(
      names.flatMap((name): [string, unknown][] => {
        const value = search[name];
        // `true` comes from a link of a page, `'true'` from an address.
        if (FLAGS.includes(name)) return String(value) === 'true' ? [[name, true]] : [];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ) as Search<Name>;
}

/**
 * Reads a query string as plain text: the router would read numbers and objects from it, and quote
 * texts that look like them.
 */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Returns the query string of `search`, which begins with `?` unless it is empty. */
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? '' : `?${query}`;
}
