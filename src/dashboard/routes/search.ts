/** State that pages keep in their URL's query string: filters, what is open, the current part of a list. */
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
  version?: string;
  referrer?: string;
  campaign?: string;
  device?: string;
  browser?: string;
  class?: string;
  agent?: string;
  missing?: string;
  unit?: string;
  found?: string;
  kind?: string;
}

const BOOLEANS = new Set(['all', 'create', 'start']);

/** Reads only these names from a query string: anyone can write one. */
export function pick<Name extends keyof Search>(...names: Name[]): (search: Record<string, unknown>) => Pick<Search, Name> {
  return (search) =>
    Object.fromEntries(
      names.flatMap((name): [string, unknown][] => {
        const value = search[name];
        if (BOOLEANS.has(name)) return value === true ? [[name, true]] : [];
        // The router parses text that looks like a number or a boolean.
        return ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [];
      }),
    ) as Pick<Search, Name>;
}
