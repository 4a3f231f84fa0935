import { z } from 'zod';
import type { AssistantSettings } from '../../../core/assistant/assistant-settings.ts';
import { changeAssistantSettings, readAssistantSettings } from '../../../services/assistant/assistant-settings.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { plainText } from '../fields.ts';
import { projectParams as params } from './project-schema.ts';

const origin = z
  .string()
  .max(300)
  .regex(/^(?:null|https?:\/\/[a-z0-9.-]+(?::\d{1,5})?)$/, 'Must be an origin such as https://app.example.com, in lower case.');

const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

const fields = {
  enabled: z.boolean().describe('Whether the assistant answers.'),
  model: z
    .string()
    .nullable()
    .describe('Name of one of the additional models of the platform (`DOCENT_MODELS`); `null` for its default model.'),
  allowedOrigins: z
    .array(origin)
    .max(100)
    .describe(
      'Web origins whose pages may use the assistant with a key. Empty: every origin. Pages of exported bundles on these origins need no key. `null` stands for pages opened from disk.',
    ),
  requireThreadKey: z.boolean().describe('Whether a conversation can only be continued with its `threadKey`.'),
  botCheck: z.boolean().describe('Whether a question must include a proof of work.'),
  // The settings are stored as JSON, in which PostgreSQL does not support half of a surrogate pair.
  starterQuestions: z
    .array(plainText(1, 200).refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair'))
    .max(6)
    .describe('Questions to offer before the first one.'),
  supportEmail: z
    .email()
    .max(300)
    .nullable()
    .describe('E-mail address to refer readers to when the documentation has no answer.'),
  supportUrl: webAddress.nullable().describe('Web address to refer readers to, for example a support form.'),
  retentionDays: z.int().min(1).max(3650).describe('Days after its last message at which a conversation is deleted.'),
};

const models = z
  .array(z.string())
  .describe('The additional models of the platform (`DOCENT_MODELS`), for use in `model`. Read-only.');

const settings = z.object({ ...fields, models }).meta({
  id: 'AssistantSettings',
  description: "The settings of a site's assistant.",
  examples: [
    {
      enabled: true,
      model: null,
      models: ['fast'],
      allowedOrigins: ['https://docs.acme.example'],
      requireThreadKey: false,
      botCheck: false,
      starterQuestions: ['How do I install Acme?', 'How do I rotate an API key?'],
      supportEmail: 'support@acme.example',
      supportUrl: null,
      retentionDays: 90,
    },
  ],
});
const changes = z
  .strictObject({ ...fields, models: models.describe('Ignored, so that a response can be sent back.') })
  .partial()
  .meta({ examples: [{ starterQuestions: ['How do I install Acme?', 'How do I rotate an API key?'], retentionDays: 90 }] });

/** `GET` and `PATCH /v1/project/{projectId}/assistant-settings` */
export function assistantSettingsRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const url = '/v1/project/:projectId/assistant-settings';
  const view = (current: AssistantSettings) => ({ ...current, models: Object.keys(deps.config.models) });
  operation({
    route: `GET ${url}`,
    operationId: 'getProjectAssistantSettings',
    summary: 'Get the assistant settings',
    description: 'Returns the settings of the assistant of a site.',
    permission: 'projects.read',
    params,
    answer: settings,
    run: async ({ actor, params }) => view(await readAssistantSettings(deps, actor, params.projectId)),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeProjectAssistantSettings',
    summary: 'Change the assistant settings',
    description: 'Changes the given settings and keeps the others. Returns all settings.',
    permission: 'projects.write',
    params,
    body: changes,
    answer: settings,
    run: async ({ actor, params, body }) => {
      const { models: _, ...changed } = body;
      return view(await changeAssistantSettings(deps, actor, params.projectId, changed));
    },
  });
}
