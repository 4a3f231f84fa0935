import {
  type ApiCall,
  type ApiCallAnswer,
  type ChosenServer,
  isForwardedHeader,
  isReturnedHeader,
} from '@docent/format/api-reference/playground/api-call.ts';
import type { RequestInputs, ServerInput } from '@docent/format/api-reference/request-inputs.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import type { OutsideCallAnswer } from '../ports/outside-calls.ts';
import { OutsideFault } from '../ports/outside-files.ts';

/** The parts of a site that calls to its APIs need. */
export interface CallingSite {
  /** Identifier, for the log. */
  name: string;
  /** Whether its author enabled the proxy; false if no page of it makes such calls. */
  isProxying: boolean;
  /** Origins of its pages besides that of the request's `Host`. */
  origins?: readonly string[];
  /** Returns the HTML of the page at a site path. */
  pageHtml(href: string): Promise<string | undefined>;
}

export type CallApiDeps = Pick<Deps, 'outsideCalls' | 'logger'>;

const TIMEOUT_MS = 60_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Calls an API for a reader of one of its pages (`api.playground.proxy`). The log contains site,
 * host, status and size, and never the path or the headers, which may contain secrets.
 * @throws DocentError `call_refused` if the page does not describe such a call or the address is
 *   not public,
 *   `dependency_unavailable` if the API does not answer; the signal's reason if it was aborted
 */
export async function callApi(
  { outsideCalls, logger }: CallApiDeps,
  site: CallingSite,
  call: ApiCall,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<{ head: ApiCallAnswer; body: AsyncIterable<Uint8Array> }> {
  const html = await site.pageHtml(call.page);
  const inputs = html === undefined ? undefined : inputsOfPage(html);
  if (!inputs?.isProxied)
    throw new DocentError(
      'call_refused',
      `The site does not proxy calls for the page ${call.page}.`,
    );
  if (!isDescribedCall(inputs, call)) {
    throw new DocentError(
      'call_refused',
      'The description of this operation does not list this server or method.',
    );
  }
  const { host } = new URL(call.url);
  const startedAt = performance.now();
  const { url, method, page } = call;
  const log = (fields: object): void => {
    const durationMs = Math.round(performance.now() - startedAt);
    logger.info(
      { site: site.name, page, method, host, durationMs, ...fields },
      'API call of a reader',
    );
  };
  const sent = call.headers.filter(([name]) => isForwardedHeader(name));
  const calling = outsideCalls.call({
    url,
    method,
    headers: sent,
    body,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  const answer = await calling.catch((error: unknown) => {
    log({ fault: error instanceof OutsideFault ? error.kind : 'aborted' });
    throw problemOf(error);
  });
  const { status, statusText } = answer;
  const headers = answer.headers.filter(([name]) => isReturnedHeader(name));
  return {
    head: { status, statusText, headers },
    body: boundedBody(answer, (fields) => log({ status, ...fields })),
  };
}

/**
 * Ends with an error if the body exceeds the limit, so that the reader's browser knows that it is
 * incomplete.
 */
async function* boundedBody(
  { body }: OutsideCallAnswer,
  log: (fields: object) => void,
): AsyncIterable<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BODY_BYTES)
        throw new Error(`The answer is larger than ${MAX_BODY_BYTES} bytes.`);
      yield chunk;
    }
  } finally {
    log({ bytes });
  }
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof OutsideFault)) return error;
  return new DocentError(
    error.kind === 'refused' ? 'call_refused' : 'dependency_unavailable',
    error.message,
    { cause: error },
  );
}

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
 * Returns whether the site's server may make a call for a page: to a server that the page lists, or
 * to a URL of the page that issues tokens. The servers come from the API's description, so a reader
 * cannot choose another host.
 */
export function isDescribedCall(
  inputs: RequestInputs,
  { method, url, server }: Pick<ApiCall, 'method' | 'url' | 'server'>,
): boolean {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password)
    return false;
  if (server === undefined && method === 'POST' && tokenAddresses(inputs).includes(url))
    return true;
  if (method !== inputs.method) return false;
  const routeBase = /^https?:/i.test(inputs.route) ? inputs.route.replace(/\{.*$/s, '') : undefined;
  const listed = server && inputs.servers[server.index];
  const base = URL.parse(
    routeBase ?? (server && listed ? (serverAddress(listed, server) ?? '') : ''),
  );
  if (!base || base.origin !== target.origin) return false;
  const folder =
    routeBase === undefined ? base.pathname.replace(/(?<!\/)\/*$/, '/') : base.pathname;
  return `${target.pathname}/`.startsWith(folder);
}

function tokenAddresses({ security }: RequestInputs): string[] {
  return security.flat().flatMap(({ oauth }) => (oauth ?? []).map((flow) => flow.tokenUrl));
}

/**
 * Returns the URL of a server with these values of its variables; undefined if the description does
 * not allow a value.
 */
function serverAddress(
  { url, variables = [] }: ServerInput,
  { variables: chosenValues }: ChosenServer,
): string | undefined {
  let address = url;
  for (const variable of variables) {
    const value = Object.hasOwn(chosenValues, variable.name)
      ? chosenValues[variable.name]
      : variable.value;
    const isAllowed =
      value === variable.value ||
      (variable.values
        ? variable.values.includes(value ?? '')
        : isFreePart(url, variable.name, value));
    if (value === undefined || !isAllowed) return undefined;
    address = address.replaceAll(`{${variable.name}}`, () => value);
  }
  return address.includes('{') ? undefined : address;
}

/**
 * Returns whether a variable without a list of values may have this one: a segment of the path, or
 * a label of a host that ends in the author's own domain (`{tenant}.example.com`). Readers can
 * never choose the whole host or the port.
 */
function isFreePart(url: string, name: string, value = ''): boolean {
  if (!/^[\w-]{1,63}$/.test(value)) return false;
  const [, authority = ''] = /^[a-z]+:\/\/([^/]*)/i.exec(url) ?? [];
  const mark = `{${name}}`;
  if (!authority.includes(mark)) return /^https?:\/\//i.test(url);
  const after = authority.slice(authority.lastIndexOf(mark) + mark.length);
  return /^(?:\.[a-z0-9-]+){2,}(?::\d+)?$/i.test(after) && !value.includes('_');
}
