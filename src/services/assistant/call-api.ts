import {
  type ApiCall,
  type ApiCallAnswer,
  isForwardedHeader,
  isReturnedHeader,
} from '../../core/api-reference/playground/api-call.ts';
import { DocentError } from '../../core/errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { OutsideCallAnswer, OutsideCalls } from '../../ports/outside-calls.ts';
import { OutsideFault } from '../../ports/outside-files.ts';
import { inputsOfPage, isDescribedCall } from './described-call.ts';

/** The parts of a site that calls to its APIs need. */
export interface CallingSite {
  /** Identifier, for the log. */
  name: string;
  /** Returns the HTML of the page at a site path. */
  pageHtml(href: string): Promise<string | undefined>;
}

export interface CallApiDeps {
  outsideCalls: OutsideCalls;
  logger: Logger;
}

/** The response, with its body as a stream. */
export interface CalledApi {
  head: ApiCallAnswer;
  body: AsyncIterable<Uint8Array>;
}

const TIMEOUT_MS = 60_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Calls an API for a reader of one of its pages (`api.playground.proxy`). The log contains site, host, status and size, and never
 * the path or the headers, which may contain secrets.
 * @throws DocentError `call_refused` if the page does not describe such a call or the address is not public,
 *   `dependency_unavailable` if the API does not answer; the signal's reason if it was aborted
 */
export async function callApi(
  { outsideCalls, logger }: CallApiDeps,
  site: CallingSite,
  call: ApiCall,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<CalledApi> {
  const html = await site.pageHtml(call.page);
  const inputs = html === undefined ? undefined : inputsOfPage(html);
  if (!inputs?.isProxied) throw new DocentError('call_refused', `The site does not proxy calls for the page ${call.page}.`);
  if (!isDescribedCall(inputs, call)) {
    throw new DocentError('call_refused', 'The description of this operation does not list this server or method.');
  }
  const { host } = new URL(call.url);
  const startedAt = performance.now();
  const log = (fields: object): void =>
    logger.info(
      {
        site: site.name,
        page: call.page,
        method: call.method,
        host,
        durationMs: Math.round(performance.now() - startedAt),
        ...fields,
      },
      'API call of a reader',
    );
  const answer = await outsideCalls
    .call({
      url: call.url,
      method: call.method,
      headers: call.headers.filter(([name]) => isForwardedHeader(name)),
      body,
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    .catch((error: unknown) => {
      log({ fault: error instanceof OutsideFault ? error.kind : 'aborted' });
      throw problemOf(error);
    });
  const { status, statusText } = answer;
  const headers = answer.headers.filter(([name]) => isReturnedHeader(name));
  return { head: { status, statusText, headers }, body: boundedBody(answer, (fields) => log({ status, ...fields })) };
}

/** Ends with an error if the body exceeds the limit, so that the reader's browser knows that it is incomplete. */
async function* boundedBody({ body }: OutsideCallAnswer, log: (fields: object) => void): AsyncIterable<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BODY_BYTES) throw new Error(`The answer is larger than ${MAX_BODY_BYTES} bytes.`);
      yield chunk;
    }
  } finally {
    log({ bytes });
  }
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof OutsideFault)) return error;
  return new DocentError(error.kind === 'refused' ? 'call_refused' : 'dependency_unavailable', error.message, { cause: error });
}
