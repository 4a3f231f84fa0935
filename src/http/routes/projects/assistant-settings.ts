import { z } from 'zod';
import { changeAssistantSettings, readAssistantSettings } from '../../../services/assistant-settings.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { plainText } from '../plain-text.ts';

const origin = z
  .string()
  .max(300)
  .regex(/^(?:null|https?:\/\/[a-z0-9.-]+(?::\d{1,5})?)$/, 'Must be an origin such as https://app.example.com, in lower case.');

const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

const fields = {
  enabled: z.boolean().describe('Whether the assistant answers.'),
  model: z.string().nullable().describe('One of the platform’s further models (`DOCENT_MODELS`), by name; null for its own.'),
  allowedOrigins: z
    .array(origin)
    .max(100)
    .describe(
      'Origins of web pages that may ask with a key, every one where the list is empty; pages of exported bundles there may ask without one. `null` stands for pages opened from the disk.',
    ),
  requireThreadKey: z.boolean().describe('A conversation goes on only with its `threadKey`.'),
  botCheck: z.boolean().describe('A question has to bring a proof of work.'),
  starterQuestions: z.array(plainText(1, 200)).max(6).describe('Offered before the first question.'),
  supportEmail: z.email().max(300).nullable().describe('Where readers are pointed to when the documentation has no answer.'),
  supportUrl: webAddress.nullable(),
  retentionDays: z.int().min(1).max(3650).describe('Threads that nobody wrote in for so long are deleted.'),
};

const settings = z.object(fields).meta({ id: 'AssistantSettings' });
const changes = z.strictObject(fields).partial();
const params = z.object({ projectId: z.string() });

/** `GET` and `PATCH /v1/project/{projectId}/assistant-settings` */
export function assistantSettingsRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Projects'], security: [{ adminKey: [] }], params };
  const url = '/v1/project/:projectId/assistant-settings';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'getProjectAssistantSettings',
      summary: 'The settings of a site’s assistant',
      response: { 200: settings, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => reply.send(await readAssistantSettings(deps, actorOf(request), request.params.projectId)),
  });
  app.route({
    method: 'PATCH',
    url,
    schema: {
      ...shared,
      operationId: 'changeProjectAssistantSettings',
      summary: 'Change the settings of a site’s assistant',
      description: 'Settings that are not named stay as they are.',
      body: changes,
      response: { 200: settings, ...problems(400, 401, 403, 404, 413, 415) },
    },
    onRequest: requireActor(deps, 'projects.write'),
    handler: async (request, reply) =>
      reply.send(await changeAssistantSettings(deps, actorOf(request), request.params.projectId, request.body)),
  });
}
