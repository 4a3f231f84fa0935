import { z } from 'zod';
import { makeChallenge } from '../../../services/bot-check.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { discoveryHooks, discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';

const answer = z.object({
  name: z.string().describe('Name of the site.'),
  siteUrl: z
    .string()
    .describe('Address of the site, without a trailing slash; links of an answer that begin with `/` stand under it.'),
  enabled: z.boolean(),
  starterQuestions: z.array(z.string()),
  supportEmail: z.string().nullable(),
  supportUrl: z.string().nullable(),
  botCheck: z
    .object({
      challenge: z.string(),
      bits: z.int().describe('The SHA-256 of `<challenge>.<number>` has to begin with so many zero bits.'),
      expiresAt: z.iso.datetime(),
    })
    .nullable()
    .describe('What to solve for the next question; null where the site asks for nothing.'),
});

/** `GET /v1/assistant/{domain}/settings`: what a chat window needs before the first question. */
export function getAssistantSettingsRoute(app: App, deps: Deps): void {
  for (const { prefix, hide } of discoveryPrefixes) {
    const { onRequest, siteOf } = discoveryHooks(deps);
    app.route({
      method: 'GET',
      url: `${prefix}/v1/assistant/:domain/settings`,
      schema: {
        hide,
        operationId: 'getAssistantSettings',
        summary: 'What a chat window needs before the first question',
        tags: ['Assistant'],
        security: [{ assistantKey: [] }],
        params: domainParams,
        response: { 200: answer, ...problems(401, 403, 404, 429) },
      },
      onRequest,
      handler: async (request, reply) => {
        const { siteId, build, publicUrl } = siteOf(request);
        const { enabled, starterQuestions, supportEmail, supportUrl, botCheck } = await deps.assistantSettings.of(siteId);
        const challenge = botCheck ? makeChallenge(deps, siteId) : undefined;
        return reply.header('cache-control', 'no-store').send({
          name: build.config.name,
          siteUrl: publicUrl,
          enabled,
          starterQuestions,
          supportEmail,
          supportUrl,
          botCheck: challenge ? { ...challenge, expiresAt: challenge.expiresAt.toISOString() } : null,
        });
      },
    });
  }
}
