import type { ApiCall, ChosenServer } from '../../core/api-reference/playground/api-call.ts';
import type { RequestInputs, ServerInput } from '../../core/api-reference/playground/request-inputs.ts';

const OPENING = '<script type="application/json" data-playground>';

/** Reads the data of a page's form back from its HTML; undefined if the page has no form. */
export function inputsOfPage(html: string): RequestInputs | undefined {
  const at = html.indexOf(OPENING);
  const end = at < 0 ? -1 : html.indexOf('</script>', at);
  if (end < 0) return undefined;
  try {
    return JSON.parse(html.slice(at + OPENING.length, end)) as RequestInputs;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the site's server may make a call for a page: to a server that the page lists, or to a URL of the page that
 * issues tokens. The servers come from the API's description, so a reader cannot choose another host.
 */
export function isDescribedCall(
  inputs: RequestInputs,
  { method, url, server }: Pick<ApiCall, 'method' | 'url' | 'server'>,
): boolean {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) return false;
  if (server === undefined && method === 'POST' && tokenAddresses(inputs).includes(url)) return true;
  if (method !== inputs.method) return false;
  const own = /^https?:/i.test(inputs.route) ? inputs.route.replace(/\{.*$/s, '') : undefined;
  const listed = server && inputs.servers[server.index];
  const base = URL.parse(own ?? (server && listed ? (serverAddress(listed, server) ?? '') : ''));
  if (!base || base.origin !== target.origin) return false;
  const folder = own === undefined ? base.pathname.replace(/(?<!\/)\/*$/, '/') : base.pathname;
  return `${target.pathname}/`.startsWith(folder);
}

function tokenAddresses({ security }: RequestInputs): string[] {
  return security.flat().flatMap(({ oauth }) => (oauth ?? []).map((flow) => flow.tokenUrl));
}

/** Returns the URL of a server with these values of its variables; undefined if the description does not allow a value. */
function serverAddress({ url, variables = [] }: ServerInput, { variables: given }: ChosenServer): string | undefined {
  let address = url;
  for (const variable of variables) {
    const value = Object.hasOwn(given, variable.name) ? given[variable.name] : variable.value;
    const isAllowed =
      value === variable.value ||
      (variable.values ? variable.values.includes(value ?? '') : isFreePart(url, variable.name, value));
    if (value === undefined || !isAllowed) return undefined;
    address = address.replaceAll(`{${variable.name}}`, () => value);
  }
  return address.includes('{') ? undefined : address;
}

/**
 * Returns whether a variable without a list of values may have this one: a segment of the path, or a label of a host that ends in
 * the author's own domain (`{tenant}.example.com`). Readers can never choose the whole host or the port.
 */
function isFreePart(url: string, name: string, value = ''): boolean {
  if (!/^[\w-]{1,63}$/.test(value)) return false;
  const [, authority = ''] = /^[a-z]+:\/\/([^/]*)/i.exec(url) ?? [];
  const mark = `{${name}}`;
  if (!authority.includes(mark)) return /^https?:\/\//i.test(url);
  const after = authority.slice(authority.lastIndexOf(mark) + mark.length);
  return /^(?:\.[a-z0-9-]+){2,}(?::\d+)?$/i.test(after) && !value.includes('_');
}
