import { DocentError } from '@docent/format/errors.ts';
import { isCompressible } from '@docent/format/media-types.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FetchedAnswer } from '../kernel/http/count-fetch.ts';
import { asksForText } from '../kernel/http/problem.ts';
import {
  allowRepeat,
  type CountedRequest,
  type Repeatable,
} from '../kernel/http/repeat-answers.ts';
import {
  bodyEtag,
  cacheControl,
  chooseEncoding,
  createBodyCache,
  type EncodedBody,
  isServedCompressed,
  requestedRange,
  sendFile,
  unchangedEtag,
} from '../kernel/http/representations.ts';
import { SITE_ROUTE } from '../kernel/http/site-route.ts';
import type {
  Encoding,
  SiteAnswer,
  SiteBody,
  SiteContent,
  SiteRequest,
} from '../ports/site-content.ts';

/** Size of the cache of encoded bodies. */
const BODY_CACHE_BYTES = 48 * 1024 * 1024;
/** Larger files that are not compressed are streamed from the store, part by part. */
const MAX_HELD_BYTES = 256 * 1024;

type Repeat = (request: CountedRequest, path: string, answer: FetchedAnswer) => Promise<boolean>;

/** A site as one request sees it. */
export interface OpenedSite {
  content: SiteContent;
  /** `''`, `/sites/<slug>` or `/docs`. */
  basePath: string;
  /** Who signed in: pages may know their reader. */
  user?: SiteRequest['user'];
  /** The organization of the site, if it is served beside those of others. */
  owner?: string;
  /**
   * Answers a request for something that only readers see who sign in; undefined for other
   * requests.
   */
  refuse?:
    | ((
        path: string,
        answer: SiteAnswer | undefined,
        reply: FastifyReply,
      ) => FastifyReply | undefined)
    | undefined;
  /**
   * Returns whether a request at that path still gets this answer, and counts it then; absent if
   * answers are not repeated.
   */
  repeat?: Repeat | undefined;
  /** Called with what is sent for a path of the site, for analytics. */
  onAnswer?: ((path: string, answer: SiteAnswer) => void) | undefined;
}

type SiteRoute = { Params: { slug: string; '*'?: string } };

/**
 * Serves sites at their addresses, `/sites/<slug>/…`, with conditional requests, ranges and content
 * negotiation as in RFC 9110. The only server of sites, wherever their content comes from.
 * @param open finds the site of a request; throws DocentError if there is none
 */
export function serveSites(
  app: FastifyInstance,
  open: (request: FastifyRequest) => Promise<OpenedSite>,
): void {
  const bodies = createBodyCache(BODY_CACHE_BYTES);

  const handler = async (
    request: FastifyRequest<SiteRoute>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { '*': rest } = request.params;
    const { content, basePath, owner = '', user, onAnswer, refuse, repeat } = await open(request);
    const at = request.url.indexOf('?');
    const query = at < 0 || at === request.url.length - 1 ? '' : request.url.slice(at);
    if (rest === undefined) return reply.redirect(`${basePath}/${query}`, 308);
    const path = `/${rest}`;
    const { headers, host } = request;
    const answer = content.find({
      path,
      query,
      wantsMarkdown: wantsMarkdown(headers.accept),
      reader: { headers, host },
      user,
    });
    const refusal = refuse?.(path, answer, reply);
    if (refusal) return refusal;
    if (!answer) {
      reply.header('cache-control', 'no-store');
      throw new DocentError('page_not_found', 'Nothing was found at this address.');
    }
    onAnswer?.(path, answer);
    reply.headers(content.headersOf(answer));
    if (answer.kind === 'body') {
      const repeatable = repeat && repeatableOf(answer, { repeat, path, owner });
      if (repeatable && query === '') allowRepeat(request, repeatable);
      return sendBody(request, reply, answer, async (encoding) => {
        const body = await bodies.get(answer, encoding, owner);
        if (repeatable && body.effort === 'full') repeatable.body = body.bytes;
        return body;
      });
    }
    if (answer.vary) reply.header('vary', answer.vary.join(', '));
    return reply
      .header('cache-control', cacheControl(false))
      .redirect(answer.location, answer.status);
  };

  for (const url of [SITE_ROUTE, `${SITE_ROUTE}/*`]) {
    app.route<SiteRoute>({ method: ['GET', 'HEAD'], url, handler });
  }
}

/** Does not keep the answer, and with it the build of a site, in memory. */
function repeatableOf(
  { kind, status, type, page, version }: SiteBody,
  { repeat, path, owner }: { repeat: Repeat; path: string; owner: string },
): Repeatable | undefined {
  if (version === undefined) return undefined;
  const answer = { kind, status, type, page };
  return { body: undefined, owner, repeat: (request) => repeat(request, path, answer) };
}

async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: SiteBody,
  encoded: (encoding: Encoding) => Promise<EncodedBody>,
): Promise<FastifyReply> {
  const { status, version, sizeBytes, open } = body;
  const isCompressed = isServedCompressed(body);
  const canBeParted = status === 200 && open !== undefined && sizeBytes !== undefined;
  const asksForPart =
    canBeParted && request.method === 'GET' && request.headers.range !== undefined;
  const encoding =
    isCompressed && !asksForPart ? chooseEncoding(request.headers['accept-encoding']) : 'identity';
  const vary = [
    ...(body.vary ?? []),
    ...(body.page === undefined ? [] : ['accept']),
    ...(isCompressible(body.type) ? ['accept-encoding'] : []),
  ];
  if (vary.length > 0) reply.header('vary', vary.join(', '));
  if (body.isShared) reply.header('access-control-allow-origin', '*');
  if (canBeParted) reply.header('accept-ranges', 'bytes');
  reply
    .header('cache-control', body.isPersonal ? 'private, no-store' : cacheControl(body.immutable))
    .type(body.type);
  const { headers } = request;
  const hasEtag = status === 200 && version !== undefined;
  const unchanged = hasEtag ? unchangedEtag(headers, version, encoding) : undefined;
  if (unchanged !== undefined) return reply.code(304).header('etag', unchanged).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  const etag = version === undefined ? '' : bodyEtag(version, encoding);
  const range = asksForPart ? requestedRange(headers, etag, sizeBytes) : undefined;
  const isStreamed =
    open &&
    sizeBytes !== undefined &&
    (range || (encoding === 'identity' && sizeBytes > MAX_HELD_BYTES));
  if (!isStreamed) {
    const { bytes, effort } = await encoded(encoding);
    if (hasEtag) reply.header('etag', bodyEtag(version, encoding, effort));
    return reply.code(status).send(bytes);
  }
  if (hasEtag) reply.header('etag', etag);
  const missing = () => {
    throw new Error(`The file of ${request.url} is missing from the blob store.`);
  };
  return sendFile(request, reply.code(status), {
    sizeBytes,
    range,
    open: async (part) => (await open(part)) ?? missing(),
  });
}

/**
 * Programs that read documentation request Markdown or text; browsers never do, and clients that
 * accept anything get the HTML.
 */
export function wantsMarkdown(accept = ''): boolean {
  return (
    !/\btext\/html\b/i.test(accept) &&
    (/\btext\/(?:x-)?markdown\b/i.test(accept) || asksForText(accept))
  );
}
