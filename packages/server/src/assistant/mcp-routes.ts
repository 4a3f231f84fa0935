import { limitsFrom } from '@docent/format/access/limits.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FEEDBACK_PER_IP, type TakeFeedback } from '../analytics/site-events.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { ownOriginsOf, shownSite } from '../kernel/http/asked-site.ts';
import { requireOwnOrigin } from '../kernel/http/browser-origins.ts';
import { type CountDeps, countMcpCall } from '../kernel/http/count-fetch.ts';
import { SITE_ROUTE } from '../kernel/http/site-route.ts';
import { countAddress } from '../kernel/operations/rate-limits.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type { SendFeedback } from './mcp-server.ts';

interface McpDeps extends Pick<Deps, 'liveSites' | 'limiter' | 'siteSearch' | 'assistantSettings'> {
  analytics: CountDeps['analytics'];
  config: Pick<Config, 'limits' | 'trustedProxies'>;
  /** Absent if agents' feedback is not stored. */
  takeFeedback?: TakeFeedback | undefined;
}
type McpRequest = FastifyRequest<{ Params: { slug: string } }>;

const SERVER_VERSION = '1.0.0';
const MCP_BODY_LIMIT_BYTES = 256 * 1024;

/**
 * `POST /mcp` of each site: the Model Context Protocol over streamable HTTP, without sessions, so any process can answer any
 * request. It only returns what the site shows to the reader who asks, so it requires no key; it
 * counts against the limit of the caller's address. Pages of other origins may call it only if the
 * site's owner allows it, as the transport's specification demands: a browser inside a private
 * network would otherwise read the site for any page.
 */
export function mcpRoute(app: FastifyInstance, deps: McpDeps): void {
  const { perIp } = limitsFrom(deps.config.limits).search;
  const { takeFeedback } = deps;
  const allowedOrigins = async (request: FastifyRequest) => {
    const site = await shownSite(deps, request);
    return [
      ...ownOriginsOf(site),
      ...(await deps.assistantSettings.of(site.siteId)).allowedOrigins,
    ];
  };

  // There are no server-initiated messages; browsers find a page at the same URL.
  app.addHook('onRequest', (request, reply, done) => {
    if (!asksForStream(request)) return done();
    reply.header('allow', 'POST');
    done(
      new DocentError(
        'method_not_allowed',
        'This address supports only POST, with one message per request.',
      ),
    );
  });

  app.route({
    method: ['POST', 'OPTIONS'],
    url: `${SITE_ROUTE}/mcp`,
    bodyLimit: MCP_BODY_LIMIT_BYTES,
    onRequest: [requireOwnOrigin(allowedOrigins, { acceptsPrograms: true })],
    handler: async (request: McpRequest, reply: FastifyReply) => {
      if (request.method === 'OPTIONS') return reply.code(204).send();
      const site = await shownSite(deps, request);
      await countAddress(deps, request, perIp);
      countMcpCall(deps, site, request);
      const sendFeedback: SendFeedback | undefined =
        takeFeedback &&
        (async (said) => {
          await countAddress(deps, request, FEEDBACK_PER_IP);
          return takeFeedback(site, said);
        });
      return answerMcp({ siteSearch: deps.siteSearch, sendFeedback }, site, request, reply);
    },
  });
}

/**
 * Answers one message of the protocol about a site. Without `sendFeedback`, agents have no tool for
 * it.
 */
async function answerMcp(
  deps: Pick<Deps, 'siteSearch'> & { sendFeedback: SendFeedback | undefined },
  site: LiveSite,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Loaded with the first request: most sites are read by people only.
  const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('./mcp-server.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);
  const server = createMcpServer(deps, site, SERVER_VERSION);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(webRequest(request), { parsedBody: request.body });
    for (const [name, value] of answer.headers) reply.header(name, value);
    return await reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
  } finally {
    await server.close();
  }
}

/** The body is already read; the transport checks the method and the headers. */
function webRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value);
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

/** Clients request a stream of the server's own messages with GET. */
function asksForStream({ method, params, routeOptions, headers }: FastifyRequest): boolean {
  if (method !== 'GET' || !(headers.accept ?? '').includes('text/event-stream')) return false;
  return routeOptions.url === `${SITE_ROUTE}/*` && (params as { '*': string })['*'] === 'mcp';
}
