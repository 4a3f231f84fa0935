import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { readAssistantRequest } from '../core/assistant/read-assistant-request.ts';
import type { AnswerWire } from '../core/assistant/wire/answer-wire.ts';
import { dataStream } from '../core/assistant/wire/data-stream.ts';
import { uiMessageStream } from '../core/assistant/wire/ui-message-stream.ts';
import { DocentError } from '../core/errors.ts';
import type { App } from '../http/app-types.ts';
import { type Bucket, countAddress, countCall, RATINGS_PER_IP } from '../http/rate-limits.ts';
import { ratingBody } from '../http/routes/assistant/rating-schema.ts';
import { respondWithAnswer } from '../http/routes/assistant/respond-with-answer.ts';
import { discoveryPrefixes } from '../http/routes/discovery/discovery-operation.ts';
import { pageBody } from '../http/routes/discovery/page.ts';
import { foundPages, searchBody } from '../http/routes/discovery/search.ts';
import { answerMcp, MCP_BODY_LIMIT_BYTES, refuseMcpStream } from '../http/routes/site/mcp.ts';
import { requireOwnOrigin } from '../http/same-origin.ts';
import { abortOnClose } from '../http/streams.ts';
import { answerQuestion } from '../services/assistant/answer-question.ts';
import { rateAnswer } from '../services/assistant/rate-answer.ts';
import type { LiveSite } from '../services/sites/live-sites.ts';
import { readPage } from '../services/sites/read-page.ts';
import { BUNDLE_SITE } from './bundle-site.ts';

export type AssistantDeps = Parameters<typeof answerQuestion>[0] & Parameters<typeof countCall>[0];

/** What a conversation with history and selected code may have. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
const PANEL = '/_docent/assistant';

/**
 * The assistant, search and page operations of the platform and its MCP server, for the one site that is served. Whoever reaches the server may
 * read the site, so no key is asked for, and the name of a site in an address stands for the one there is.
 */
export function bundleAssistantRoutes(app: App, deps: AssistantDeps, siteNow: () => LiveSite | undefined): void {
  const site = (): LiveSite => {
    const found = siteNow();
    if (!found) throw new DocentError('dependency_unavailable', 'There is no content yet.', { retryAfterSeconds: 5 });
    return found;
  };
  const ask = (wireOf: (minimal: boolean, request: FastifyRequest) => AnswerWire) => {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const asked = site();
      const question = readAssistantRequest(request.body);
      await countCall(deps, request, reply, 'assistant', BUNDLE_SITE);
      const answer = await answerQuestion(deps, asked, question, abortOnClose(reply.raw));
      await respondWithAnswer(reply, answer, wireOf(question.wire === 'minimal', request), { openStream: () => () => {} });
    };
  };
  const askV2 = ask((minimal, request) => {
    const { threadIdOnFinish } = request.query as { threadIdOnFinish?: string };
    return uiMessageStream({ minimal, threadIdOnFinish: threadIdOnFinish === '1' });
  });
  const settings = async (_request: FastifyRequest, reply: FastifyReply) => {
    const { build, publicUrl } = site();
    const nothing = { starterQuestions: [], supportEmail: null, supportUrl: null, botCheck: null };
    return reply
      .header('cache-control', 'no-store')
      .send({ name: build.config.name, siteUrl: publicUrl, enabled: true, ...nothing });
  };
  const count = (bucket: Bucket) => async (request: FastifyRequest, reply: FastifyReply) =>
    countCall(deps, request, reply, bucket, BUNDLE_SITE);

  const panel = { onRequest: [requireOwnOrigin(async () => [])], bodyLimit: BODY_LIMIT_BYTES };
  app.get(`${PANEL}/settings`, panel, settings);
  app.post(`${PANEL}/message`, panel, askV2);
  const rate = async (request: FastifyRequest<{ Body: z.infer<typeof ratingBody> }>, reply: FastifyReply) => {
    await rateAnswer(deps, { siteId: BUNDLE_SITE, ...request.body });
    return reply.code(204).send();
  };
  const countRating = (request: FastifyRequest) => countAddress(deps, request, RATINGS_PER_IP);
  app.post(`${PANEL}/feedback`, { ...panel, schema: { body: ratingBody }, preHandler: [countRating] }, rate);

  const mcp = {
    bodyLimit: MCP_BODY_LIMIT_BYTES,
    onRequest: [requireOwnOrigin(async () => [], { acceptsPrograms: true }), count('search')],
  };
  app.post('/mcp', mcp, async (request, reply) => answerMcp(deps, site(), request, reply));
  app.get('/mcp', async (_request, reply) => refuseMcpStream(reply));

  const body = { bodyLimit: BODY_LIMIT_BYTES };
  for (const { prefix } of discoveryPrefixes) {
    app.post(
      `${prefix}/v1/assistant/:domain/message`,
      body,
      ask((minimal) => dataStream({ minimal })),
    );
    app.post(`${prefix}/v2/assistant/:domain/message`, body, askV2);
    app.get(`${prefix}/v2/assistant/:domain/message/:chatId/stream`, async (_request, reply) => reply.code(204).send());
    app.get(`${prefix}/v1/assistant/:domain/settings`, settings);
    app.post(`${prefix}/v1/assistant/:domain/feedback`, { schema: { body: ratingBody }, onRequest: [count('assistant')] }, rate);
    app.post(`${prefix}/v1/search/:domain`, { schema: { body: searchBody }, onRequest: [count('search')] }, (request) =>
      foundPages(deps, site(), request.body),
    );
    app.post(`${prefix}/v1/page/:domain`, { schema: { body: pageBody }, onRequest: [count('search')] }, async (request) => {
      const page = await readPage(site(), request.body.path);
      if (!page) throw new DocentError('page_not_found', `The site has no page at ${request.body.path.slice(0, 200)}.`);
      return { path: page.path, content: page.content };
    });
  }
}
