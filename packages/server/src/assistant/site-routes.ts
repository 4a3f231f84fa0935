import { readAssistantRequest } from '@docent/assistant/chat/read-assistant-request.ts';
import { uiMessageStream } from '@docent/assistant/wire/ui-message-stream.ts';
import { noRules, rulesAmong, rulesScript } from '@docent/search/search-rules.ts';
import type { FastifyRequest } from 'fastify';
import { liveSite, ownOriginsOf, shownSite } from '../kernel/http/asked-site.ts';
import type { App } from '../kernel/http/base-app.ts';
import { requireOwnOrigin } from '../kernel/http/browser-origins.ts';
import type { AnswerMetrics } from '../kernel/http/metrics.ts';
import { SITE_ROUTE } from '../kernel/http/site-route.ts';
import { abortOnClose } from '../kernel/http/streams.ts';
import {
  type CountCallDeps,
  countAddress,
  countCall,
  RATINGS_PER_IP,
} from '../kernel/operations/rate-limits.ts';
import type { LiveSites } from '../ports/live-sites.ts';
import { type AnswerDeps, answerQuestion } from './answer-question.ts';
import { type CheckDeps, requireProof } from './bot-check.ts';
import { rateAnswer } from './conversation.ts';
import { chatSettingsOf, ratingBody } from './routes.ts';
import { respondWithAnswer } from './send-answer.ts';

export interface SiteAssistantDeps extends AnswerDeps, CheckDeps, CountCallDeps {
  liveSites: Pick<LiveSites, 'find' | 'findShown'>;
}

const BASE = `${SITE_ROUTE}/_docent/assistant`;
/** A conversation with the reader's selection; other callers use the API, which accepts more. */
const BODY_LIMIT_BYTES = 256 * 1024;

/**
 * Routes for the panel on the pages of a site, on the site's own address: the settings, a question,
 * and the rating of an answer. Requires no key, because it only answers pages of origins that the
 * site's owner allows, its own first, and counts against the same limits as the API.
 */
export function siteAssistantRoutes(
  app: App,
  deps: SiteAssistantDeps,
  metrics: AnswerMetrics,
): void {
  const siteOf = (request: FastifyRequest) => liveSite(deps, request);
  const allowedOrigins = async (request: FastifyRequest) => {
    const site = await siteOf(request);
    return [
      ...ownOriginsOf(site),
      ...(await deps.assistantSettings.of(site.siteId)).allowedOrigins,
    ];
  };
  const onRequest = [requireOwnOrigin(allowedOrigins)];
  const bodyLimit = BODY_LIMIT_BYTES;

  // The hook answers the preflight request of an allowed origin; there is nothing else to do.
  app.options(`${BASE}/*`, { onRequest }, async (_request, reply) => reply.code(204).send());

  app.get(`${BASE}/settings`, { onRequest }, async (request, reply) => {
    const settings = await chatSettingsOf(deps, await siteOf(request));
    return reply.header('cache-control', 'no-store').send(settings);
  });

  app.get(`${SITE_ROUTE}/_docent/search-rules.js`, async (request, reply) => {
    const { siteId, build } = await shownSite(deps, request);
    const rules = (await deps.assistantSettings.searchRules(siteId)) ?? noRules;
    return reply
      .header('cache-control', 'no-store')
      .type('text/javascript; charset=utf-8')
      .send(rulesScript(rulesAmong(rules, build.pages)));
  });

  app.post(`${BASE}/message`, { onRequest, bodyLimit }, async (request, reply) => {
    const site = await siteOf(request);
    const question = { ...readAssistantRequest(request.body), caller: 'web' as const };
    await countCall(deps, request, reply, 'assistant', site.organizationId);
    const { botCheck } = await deps.assistantSettings.of(site.siteId);
    if (botCheck) await requireProof(deps, site.siteId, question.proof);
    const answer = await answerQuestion(
      deps,
      site,
      question,
      abortOnClose(reply),
      metrics.observeAnswer,
    );
    const wire = uiMessageStream({ minimal: false, threadIdOnFinish: false });
    await respondWithAnswer(reply, answer, wire, metrics);
  });

  app.post(
    `${BASE}/feedback`,
    { onRequest, bodyLimit, schema: { body: ratingBody } },
    async (request, reply) => {
      const { siteId } = await siteOf(request);
      await countAddress(deps, request, RATINGS_PER_IP);
      await rateAnswer(deps, { siteId, ...request.body });
      return reply.code(204).send();
    },
  );
}
