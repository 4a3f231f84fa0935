import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { readAssistantRequest } from '../../../core/assistant/read-assistant-request.ts';
import { uiMessageStream } from '../../../core/assistant/wire/ui-message-stream.ts';
import { DocentError } from '../../../core/errors.ts';
import { answerQuestion } from '../../../services/assistant/answer-question.ts';
import { makeChallenge, requireProof } from '../../../services/assistant/bot-check.ts';
import { rateAnswer } from '../../../services/assistant/rate-answer.ts';
import type { Deps } from '../../../services/deps.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import type { App } from '../../app-types.ts';
import type { Metrics } from '../../metrics.ts';
import { countAddress, countCall, RATINGS_PER_IP } from '../../rate-limits.ts';
import { requireOwnOrigin } from '../../same-origin.ts';
import { abortOnClose } from '../../streams.ts';
import { ratingBody } from '../assistant/rating-schema.ts';
import { respondWithAnswer } from '../assistant/respond-with-answer.ts';

const BASE = '/sites/:slug/_docent/assistant';
/** A conversation with what the reader has selected; other callers have the API, which takes more. */
const BODY_LIMIT_BYTES = 256 * 1024;

/**
 * What the panel on the pages of a site asks, on the site's own address: the settings, a question, what the reader thinks of an
 * answer. It takes no key, because it answers pages of origins that the site's owner allows, its own first, and counts against the limits like the API.
 */
export function siteAssistantRoutes(app: App, deps: Deps, metrics: Metrics): void {
  async function siteOf(request: FastifyRequest): Promise<LiveSite> {
    const { slug } = request.params as { slug: string };
    const site = await deps.liveSites.find(slug);
    if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
    return site;
  }

  const allowedOrigins = async (request: FastifyRequest) =>
    (await deps.assistantSettings.of((await siteOf(request)).siteId)).allowedOrigins;
  const shared = { onRequest: [requireOwnOrigin(allowedOrigins)], schema: { hide: true } };

  // The hook answers a preflight of an origin that may ask; there is nothing else to say.
  app.route({
    ...shared,
    method: 'OPTIONS',
    url: `${BASE}/*`,
    handler: async (_request: FastifyRequest, reply: FastifyReply) => reply.code(204).send(),
  });

  app.route({
    ...shared,
    method: 'GET',
    url: `${BASE}/settings`,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { siteId, build, publicUrl } = await siteOf(request);
      const { enabled, starterQuestions, supportEmail, supportUrl, botCheck } = await deps.assistantSettings.of(siteId);
      const challenge = botCheck ? makeChallenge(deps, siteId) : null;
      const { name } = build.config;
      return reply
        .header('cache-control', 'no-store')
        .send({ name, siteUrl: publicUrl, enabled, starterQuestions, supportEmail, supportUrl, botCheck: challenge });
    },
  });

  app.route({
    ...shared,
    method: 'POST',
    url: `${BASE}/message`,
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const site = await siteOf(request);
      const question = { ...readAssistantRequest(request.body), caller: 'web' as const };
      await countCall(deps, request, reply, 'assistant', site.organisationId);
      const { botCheck } = await deps.assistantSettings.of(site.siteId);
      if (botCheck) await requireProof(deps, site.siteId, question.proof);
      const answer = await answerQuestion(deps, site, question, abortOnClose(reply.raw), metrics.observeAnswer);
      const wire = uiMessageStream({ minimal: false, threadIdOnFinish: false });
      await respondWithAnswer(reply, answer, wire, metrics);
    },
  });

  app.route({
    ...shared,
    method: 'POST',
    url: `${BASE}/feedback`,
    bodyLimit: BODY_LIMIT_BYTES,
    schema: { hide: true, body: ratingBody },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { siteId } = await siteOf(request);
      await countAddress(deps, request, RATINGS_PER_IP);
      await rateAnswer(deps, { siteId, ...(request.body as z.infer<typeof ratingBody>) });
      return reply.code(204).send();
    },
  });
}
