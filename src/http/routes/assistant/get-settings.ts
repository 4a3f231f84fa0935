import { z } from 'zod';
import { makeChallenge } from '../../../services/assistant/bot-check.ts';
import type { Deps } from '../../../services/deps.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { discoveryHooks, discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';

const answer = z
  .object({
    name: z.string().describe('Name of the site.'),
    siteUrl: z
      .string()
      .describe('Address of the site, without a trailing slash; links of an answer that begin with `/` stand under it.'),
    enabled: z.boolean().describe('Whether the assistant answers.'),
    starterQuestions: z.array(z.string()).describe('Questions to offer before the first one.'),
    supportEmail: z.string().nullable().describe('E-mail address to refer readers to when the documentation has no answer.'),
    supportUrl: z.string().nullable().describe('Web address to refer readers to when the documentation has no answer.'),
    botCheck: z
      .object({
        challenge: z.string().describe('What to solve. Good for one question.'),
        bits: z
          .int()
          .describe(
            'Find a number for which the SHA-256 of `<challenge>.<number>` starts with this many zero bits, and send `<challenge>.<number>` as `proof`.',
          ),
        expiresAt: z.iso.datetime().describe('When the challenge stops being accepted.'),
      })
      .nullable()
      .describe('What to solve for the next question; `null` where the site has no bot check.'),
  })
  .meta({
    examples: [
      {
        name: 'Acme',
        siteUrl: 'https://docs.acme.example',
        enabled: true,
        starterQuestions: ['How do I install Acme?'],
        supportEmail: 'support@acme.example',
        supportUrl: null,
        botCheck: null,
      },
    ],
  });

/** `GET /v1/assistant/{domain}/settings`: what a chat window needs before the first question. */
export function getAssistantSettingsRoute(app: App, deps: Deps): void {
  for (const { prefix, hide } of discoveryPrefixes) {
    const { onRequest, siteOf } = discoveryHooks(deps, 'assistant');
    app.route({
      method: 'GET',
      url: `${prefix}/v1/assistant/:domain/settings`,
      schema: {
        hide,
        operationId: 'getAssistantSettings',
        summary: 'Get what a chat window needs',
        description:
          'Returns what a chat window shows before the first question, and the bot check to solve where the site has one.',
        'x-response-headers': limitHeaders,
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
