const MAX_CHARACTERS = 10_000;
/** The properties of a `URL`. */
export const URL_PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/**
 * Reads and changes addresses as the WHATWG URL standard says, for code in the sandbox. Everything about the request comes from an
 * author and is checked here.
 * @param request JSON: `{ href, base, part, value }` reads an address, after setting one of its parts; `{ query }` reads a query; `{ pairs }`
 *   writes one
 * @returns JSON: the parts of the address; the pairs of the query; the query
 * @throws TypeError for an invalid address
 */
export function answerUrl(request: string): string {
  if (request.length > MAX_CHARACTERS) throw new RangeError('the address is too long');
  const { href, base, part, value, query, pairs } = JSON.parse(request);
  if (query !== undefined) return JSON.stringify([...new URLSearchParams(String(query))]);
  if (Array.isArray(pairs))
    return JSON.stringify(
      new URLSearchParams(pairs.map(([name, text]): [string, string] => [String(name), String(text)])).toString(),
    );
  const url = base === undefined ? new URL(String(href)) : new URL(String(href), String(base));
  const set = URL_PARTS.find((name) => name === part && name !== 'origin');
  if (set && set !== 'origin') url[set] = String(value);
  return JSON.stringify(Object.fromEntries(URL_PARTS.map((name) => [name, url[name]])));
}
