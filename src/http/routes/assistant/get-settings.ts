import { z } from 'zod';
import { makeChallenge } from '../../../services/assistant/bot-check.ts';
import type { Deps } from '../../../services/deps.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { type DiscoveryAccess, discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';
import { isoTime } from '../fields.ts';

const answer = z
  .object({
    name: z.string().describe('Name of the site.'),
    siteUrl: z
      .string()
      .describe('Address of the site, without a trailing slash; links in an answer that begin with `/` are relative to it.'),
    enabled: z.boolean().describe('Whether the assistant answers.'),
    starterQuestions: z.array(z.string()).describe('Questions to offer before the first one.'),
    supportEmail: z.string().nullable().describe('E-mail address to refer readers to when the documentation has no answer.'),
    supportUrl: z.string().nullable().describe('Web address to refer readers to when the documentation has no answer.'),
    botCheck: z
      .object({
        challenge: z.string().describe('The challenge, valid for one question.'),
        bits: z
          .int()
          .describe(
            'Find a number for which the SHA-256 of `<challenge>.<number>` starts with this many zero bits, and send `<challenge>.<number>` as `proof`.',
          ),
        expiresAt: isoTime.describe('When the challenge expires.'),
      })
      .nullable()
      .describe('The bot check for the next question; `null` if the site has none.'),
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

/** `GET /v1/assistant/{domain}/settings`: returns what a chat window needs before the first question. */
export function getAssistantSettingsRoute(
  app: App,
  deps: Pick<Deps, 'assistantSettings' | 'clock' | 'secret'>,
  access: DiscoveryAccess,
): void {
  for (const { prefix, hide } of discoveryPrefixes) {
    app.route({
      method: 'GET',
      url: `${prefix}/v1/assistant/:domain/settings`,
      schema: {
        hide,
        operationId: 'getAssistantSettings',
        summary: 'Get the chat window settings',
        description: 'Returns the content of a chat window before the first question, and the bot check, if the site has one.',
        'x-response-headers': limitHeaders,
        tags: ['Assistant'],
        security: [{ assistantKey: [] }],
        params: domainParams,
        response: { 200: answer, ...problems(401, 403, 404, 429) },
      },
      onRequest: access.counted('assistant'),
      handler: async (request, reply) => {
        const { siteId, build, publicUrl } = access.siteOf(request);
        const { enabled, starterQuestions, supportEmail, supportUrl, botCheck } = await deps.assistantSettings.of(siteId);
        const challenge = botCheck ? makeChallenge(deps, siteId) : undefined;
        return reply.header('cache-control', 'no-store').send({
          name: build.config.name,
          siteUrl: publicUrl,
          enabled,
          starterQuestions,
          supportEmail,
          supportUrl,
          botCheck: challenge ?? null,
        });
      },
    });
  }
}
