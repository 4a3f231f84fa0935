import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { skillName } from '../../../compiler/site/agent-skills.ts';
import { limitsFrom } from '../../../core/access/limits.ts';
import { DocentError } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import type { SendFeedback } from '../../../services/assistant/mcp-feedback.ts';
import type { Deps } from '../../../services/deps.ts';
import { takeFeedback } from '../../../services/feedback/take-feedback.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import { countMcpCall } from '../../count-fetch.ts';
import { countAddress } from '../../rate-limits.ts';
import { requireOwnOrigin } from '../../same-origin.ts';
import { FEEDBACK_PER_IP } from './take-events.ts';

type McpDeps = Pick<
  Deps,
  'liveSites' | 'limiter' | 'config' | 'siteSearch' | 'assistantSettings' | 'analytics' | 'database' | 'clock'
>;
type McpRequest = FastifyRequest<{ Params: { slug: string } }>;

const SERVER_VERSION = '1.0.0';
export const MCP_BODY_LIMIT_BYTES = 256 * 1024;

/**
 * `POST /mcp` of each site: the Model Context Protocol over streamable HTTP, without sessions, so any process can answer
 * any request. What it gives is what the site shows to everybody, so it takes no key; it counts against the limit of the
 * caller's address. Pages of other origins may ask only where the site's owner allows it, as the specification of the transport
 * demands: a browser inside a private network would otherwise read the site for any page.
 */
export function mcpRoute(app: FastifyInstance, deps: McpDeps): void {
  const { searchPerIp } = limitsFrom(deps.config.limits);

  async function siteOf(request: FastifyRequest): Promise<LiveSite> {
    const { slug } = request.params as McpRequest['params'];
    const site = await deps.liveSites.findShown(slug);
    if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
    return site;
  }

  const allowedOrigins = async (request: FastifyRequest) =>
    (await deps.assistantSettings.of((await siteOf(request)).siteId)).allowedOrigins;

  app.route({
    method: ['POST', 'OPTIONS'],
    url: '/sites/:slug/mcp',
    bodyLimit: MCP_BODY_LIMIT_BYTES,
    schema: { hide: true },
    onRequest: [requireOwnOrigin(allowedOrigins, { acceptsPrograms: true })],
    handler: async (request: McpRequest, reply: FastifyReply) => {
      if (request.method === 'OPTIONS') return reply.code(204).send();
      const site = await siteOf(request);
      await countAddress(deps, request, searchPerIp);
      countMcpCall(deps, site, request);
      const sendFeedback: SendFeedback = async (said) => {
        await countAddress(deps, request, FEEDBACK_PER_IP);
        return takeFeedback(deps, site, said);
      };
      return answerMcp({ ...deps, sendFeedback }, site, request, reply);
    },
  });
}

/** Answers one message of the protocol about a site. Without `sendFeedback`, agents have no tool for it. */
export async function answerMcp(
  deps: Pick<Deps, 'siteSearch'> & { sendFeedback?: SendFeedback },
  site: LiveSite,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Loaded with the first request: most sites are read by people only.
  const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('../../../services/assistant/mcp-server.ts'),
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

/** The body is read already; the transport looks at the method and the headers. */
function webRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

/** A person who opens the address in a browser reads there what it is for. */
export function mcpPage(site: LiveSite): string {
  const { name } = site.build.config;
  const url = `${site.publicUrl}/mcp`;
  const settings = JSON.stringify({ mcpServers: { [skillName(name)]: { type: 'http', url } } }, undefined, 2);
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>MCP server of ${name}</title><style>:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1.5rem}pre{overflow:auto;padding:1rem;border:1px solid #8886;border-radius:.5rem}</style></head><body><main><h1>MCP server of ${name}</h1><p>This address is for AI tools. They search and read this documentation with the Model Context Protocol.</p><p>Add it to your tool with its address, without a key:</p><pre><code>${url}</code></pre><p>Or in a file of settings:</p><pre><code>${settings}</code></pre><p><a href="${site.publicUrl}/">Read the documentation</a></p></main></body></html>`;
  return page.value;
}

/** Clients ask for a stream of the server's own messages with GET. */
export function asksForMcpStream({ headers }: { headers: IncomingHttpHeaders }, path: string | undefined): boolean {
  return path === 'mcp' && (headers.accept ?? '').includes('text/event-stream');
}

/** There are no such messages. @throws DocentError `method_not_allowed` */
export function refuseMcpStream(reply: FastifyReply): never {
  reply.header('allow', 'POST');
  throw new DocentError('method_not_allowed', 'This address takes POST: it answers each message by itself.');
}
