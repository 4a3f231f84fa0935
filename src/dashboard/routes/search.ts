/** Everything that the pages keep in the search of their addresses: filters, what is open, which part of a list. */
interface Search {
  next?: string;
  error?: string;
  token?: string;
  q?: string;
  all?: boolean;
  create?: boolean;
  start?: boolean;
  job?: string;
  status?: string;
  outcome?: string;
  days?: string;
  thread?: string;
  helpful?: string;
  actor?: string;
  action?: string;
  thing?: string;
  path?: string;
  language?: string;
  found?: string;
  kind?: string;
}

const BOOLEANS = new Set(['all', 'create', 'start']);

/** Reads these names from the search of an address, and nothing else: anybody can write one. */
export function pick<Name extends keyof Search>(...names: Name[]): (search: Record<string, unknown>) => Pick<Search, Name> {
  return (search) =>
    Object.fromEntries(
      names.flatMap((name): [string, unknown][] => {
        const value = search[name];
        if (BOOLEANS.has(name)) return value === true ? [[name, true]] : [];
        // The router reads what looks like a number or a truth value as one.
        return ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [];
      }),
    ) as Pick<Search, Name>;
}
