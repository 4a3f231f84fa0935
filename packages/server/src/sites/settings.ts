import { siteSecurity } from '@docent/format/access/site-settings.ts';
import {
  analyticsSettings,
  defaultAnalyticsSettings,
} from '@docent/format/analytics/analytics-settings.ts';
import * as z from 'zod';
import { day, queryOf } from '../analytics/analytics-schema.ts';
import {
  changeAnalyticsSettings,
  deleteAnalytics,
  readAnalyticsSettings,
} from '../analytics/change-analytics.ts';
import {
  changeAssistantSettings,
  readAssistantSettings,
  type SettingsWithUsage,
  usesLanguageModel,
} from '../assistant/assistant-settings.ts';
import { searchRuleFields } from '../assistant/search-rule-fields.ts';
import { trySearchRules } from '../assistant/trial/try-search-rules.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { abortOnClose } from '../kernel/http/streams.ts';
import * as field from '../kernel/operations/described.ts';
import { plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { changeSiteSecurity, readSiteSecurity } from './manage-sites.ts';

const origin = z
  .string()
  .max(300)
  .regex(
    /^(?:null|https?:\/\/[a-z0-9.-]+(?::\d{1,5})?)$/,
    'Must be an origin such as https://app.example.com, in lower case.',
  );

const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

const assistantFields = {
  enabled: field.flag('Whether the assistant answers.'),
  model: field.text.orNull(
    'Name of one of the additional models of the platform (`DOCENT_MODELS`); `null` for its default model.',
  ),
  instructions: field.orNull(
    z
      .string()
      .max(4000)
      .refine(
        (text) => text.isWellFormed() && !text.includes('\0'),
        'must be text without control characters',
      ),
    'What a language model should know and how it should answer: product facts, terms, tone, in at most 4,000 characters. It adds to `.docent/assistant.md` of the repository. Without a language model it has no effect.',
  ),
  tokensPerDay: field.orNull(
    z.int().min(0).max(10_000_000_000),
    'Tokens that language models may use for this site on a UTC day, of questions and answers together. After that, pages are quoted until the next day. `null`: no limit.',
  ),
  ...searchRuleFields,
  allowedOrigins: z
    .array(origin)
    .max(100)
    .describe(
      'Web origins whose pages may use the assistant with a key. Empty: every origin. Pages of exported bundles on these origins need no key. `null` stands for pages opened from disk.',
    ),
  requireThreadKey: field.flag(
    'Whether a conversation can only be continued with its `threadKey`.',
  ),
  botCheck: field.flag('Whether a question must include a proof of work.'),
  // The settings are stored as JSON, in which PostgreSQL does not support half of a surrogate pair.
  starterQuestions: z
    .array(
      plainText(1, 200).refine(
        (text) => text.isWellFormed(),
        'must not contain half of a surrogate pair',
      ),
    )
    .max(6)
    .describe('Questions to offer before the first one.'),
  supportEmail: field.orNull(
    z.email().max(300),
    'E-mail address to refer readers to when the documentation has no answer.',
  ),
  supportUrl: field.orNull(
    webAddress,
    'Web address to refer readers to, for example a support form.',
  ),
  tellsReaders: field.flag(
    'Whether readers whose question has no answer may leave an e-mail address, to be told once when it has one. `false` deletes the addresses. Needs a server that sends mail.',
  ),
  retentionDays: z
    .int()
    .min(1)
    .max(3650)
    .describe('Days after its last message at which a conversation is deleted.'),
};

const models = field.texts(
  'The additional models of the platform (`DOCENT_MODELS`), for use in `model`. Read-only.',
);

const usesModel = field.flag(
  'Whether a language model writes the answers; otherwise pages are quoted, and `instructions` has no effect. Read-only.',
);

const tokensToday = field.int(
  'Tokens that language models used for this site since midnight UTC. Read-only.',
);

const sendsMail = field.flag('Whether the server sends mail. Read-only.');

const assistantSettings = field.resource(
  'AssistantSettings',
  "The settings of a site's assistant.",
  { ...assistantFields, models, usesLanguageModel: usesModel, sendsMail, tokensToday },
  {
    enabled: true,
    model: null,
    models: ['fast'],
    usesLanguageModel: true,
    instructions: 'Call our customers members. Recommend the Pro plan for more than five projects.',
    tokensPerDay: 2_000_000,
    tokensToday: 184_220,
    synonyms: [['workspace', 'team']],
    pageRules: [{ question: 'rotate a key', pin: ['guides/keys'], block: [] }],
    allowedOrigins: ['https://docs.acme.example'],
    requireThreadKey: false,
    botCheck: false,
    starterQuestions: ['How do I install Acme?', 'How do I rotate an API key?'],
    supportEmail: 'support@acme.example',
    supportUrl: null,
    tellsReaders: false,
    sendsMail: true,
    retentionDays: 90,
  },
);
const assistantChanges = z
  .strictObject({
    ...assistantFields,
    models: models.describe('Ignored, so that a response can be sent back.'),
    usesLanguageModel: usesModel.describe('Ignored, so that a response can be sent back.'),
    sendsMail: sendsMail.describe('Ignored, so that a response can be sent back.'),
    tokensToday: tokensToday.describe('Ignored, so that a response can be sent back.'),
  })
  .partial()
  .meta({
    examples: [
      {
        starterQuestions: ['How do I install Acme?', 'How do I rotate an API key?'],
        retentionDays: 90,
      },
    ],
  });

/** `GET` and `PATCH /v1/project/{projectId}/assistant-settings` */
export function assistantSettingsRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const url = '/v1/project/:projectId/assistant-settings';
  const view = (current: SettingsWithUsage) => ({
    ...current,
    models: Object.keys(deps.config.models),
    usesLanguageModel: usesLanguageModel(deps.config, current),
    sendsMail: deps.mailer !== undefined,
  });
  operation({
    route: `GET ${url}`,
    operationId: 'getProjectAssistantSettings',
    summary: 'Get the assistant settings',
    description: 'Returns the settings of the assistant of a site.',
    permission: 'projects.read',
    answer: assistantSettings,
    run: async ({ actor, params }) =>
      view(await readAssistantSettings(deps, actor, params.projectId)),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeProjectAssistantSettings',
    summary: 'Change the assistant settings',
    description: 'Changes the given settings and keeps the others. Returns all settings.',
    permission: 'projects.write',
    body: assistantChanges,
    answer: assistantSettings,
    run: async ({ actor, params, body }) => {
      const {
        models: _,
        usesLanguageModel: __,
        tokensToday: ___,
        sendsMail: ____,
        ...changed
      } = body;
      return view(await changeAssistantSettings(deps, actor, params.projectId, changed));
    },
  });
}

const triedRules = z
  .strictObject({
    ...searchRuleFields,
    instructions: assistantFields.instructions.describe(
      'Instructions to try. With them, the language model of the site is asked the first 12 questions, before and after; the tokens count.',
    ),
  })
  .partial()
  .meta({
    examples: [{ synonyms: [['workspace', 'team']] }],
  });
const rulesTrial = field.resource(
  'SearchRulesTrial',
  'What tried settings change for the test questions of a site.',
  {
    asked: field.int('Number of questions that were asked.'),
    answeredBefore: field.int('How many are answered as saved.'),
    answeredAfter: field.int('How many are answered with what is tried.'),
    gained: field.texts('Questions that are answered only with what is tried.'),
    lost: field.texts('Questions that are answered only as saved.'),
    unknownPages: field.texts('Pages of the tried rules that the site lacks.'),
  },
  {
    asked: 40,
    answeredBefore: 31,
    answeredAfter: 33,
    gained: ['Who can join my team?', 'How do I leave a team?'],
    lost: [],
    unknownPages: [],
  },
);

/** `POST /v1/project/{projectId}/assistant-settings/try` */
export function trySearchRulesRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'POST /v1/project/:projectId/assistant-settings/try',
    operationId: 'tryProjectSearchRules',
    summary: 'Try instructions, synonyms and page rules',
    description:
      'Asks the live site its test questions (`questions.yaml`), at most the first 200, with the saved rules and with the given ones, without a language model. With `instructions`, the language model of the site answers the first 12. Saves nothing. What is absent is as saved.',
    permission: 'projects.write',
    body: triedRules,
    answer: rulesTrial,
    refusals: [409, 429, 503],
    run: ({ actor, params, body, reply }) =>
      trySearchRules(deps, actor, params.projectId, body, abortOnClose(reply)),
  });
}

const securityExample = {
  scriptSources: ['https://cdn.example.com'],
  frameAncestors: ["'self'", 'https://app.example.com'],
};

const securitySettings = siteSecurity.meta({
  id: 'SecuritySettings',
  description: 'The Content-Security-Policy of the pages of a site.',
  examples: [securityExample],
});
const securityChanges = siteSecurity
  .strict()
  .partial()
  .meta({ examples: [{ scriptSources: securityExample.scriptSources }] });

/** `GET` and `PATCH /v1/project/{projectId}/security-settings` */
export function securitySettingsRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const url = '/v1/project/:projectId/security-settings';
  operation({
    route: `GET ${url}`,
    operationId: 'getProjectSecuritySettings',
    summary: 'Get the security settings',
    description: 'Returns the security settings of a site.',
    permission: 'projects.read',
    answer: securitySettings,
    run: ({ actor, params }) => readSiteSecurity(deps, actor, params.projectId),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeProjectSecuritySettings',
    summary: 'Change the security settings',
    description:
      'Changes the given settings and keeps the others; a list replaces the previous one. Returns all settings.',
    permission: 'security.write',
    body: securityChanges,
    answer: securitySettings,
    run: ({ actor, params, body }) => changeSiteSecurity(deps, actor, params.projectId, body),
  });
}

const shownAnalyticsSettings = analyticsSettings.meta({
  id: 'AnalyticsSettings',
  description: 'The analytics settings of a site.',
  examples: [defaultAnalyticsSettings],
});
const analyticsChanges = analyticsSettings
  .strict()
  .partial()
  .meta({ examples: [{ searchQueries: 'hash' }] });

/**
 * `GET` and `PATCH /v1/project/{projectId}/analytics-settings`, `DELETE /v1/analytics/{projectId}`
 */
export function analyticsSettingsRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const url = '/v1/project/:projectId/analytics-settings';
  operation({
    route: `GET ${url}`,
    operationId: 'getProjectAnalyticsSettings',
    summary: 'Get the analytics settings',
    description: 'Returns the analytics settings of a site.',
    permission: 'projects.read',
    answer: shownAnalyticsSettings,
    run: ({ actor, params }) => readAnalyticsSettings(deps, actor, params.projectId),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeProjectAnalyticsSettings',
    summary: 'Change the analytics settings',
    description: 'Changes the given settings and keeps the others. Returns all settings.',
    permission: 'projects.write',
    body: analyticsChanges,
    answer: shownAnalyticsSettings,
    run: ({ actor, params, body }) => changeAnalyticsSettings(deps, actor, params.projectId, body),
  });
  const ofAnalytics = operationsOf(app, deps, 'Analytics');
  ofAnalytics({
    route: 'DELETE /v1/analytics/:projectId',
    operationId: 'deleteAnalytics',
    summary: 'Delete analytics',
    description:
      'Deletes the analytics of a site: events and figures of whole UTC days, and the feedback on its pages of these days. Without a range, deletes everything. Conversations and their ratings are kept.',
    permission: 'projects.write',
    query: z.object({
      dateFrom: day.optional().describe('First day to delete.'),
      dateTo: day.optional().describe('First day to keep.'),
    }),
    answer: z
      .object({
        deletedEvents: field.int('Number of deleted events.'),
        deletedFeedback: field.int('Number of deleted feedback entries on pages.'),
      })
      .meta({ examples: [{ deletedEvents: 48210, deletedFeedback: 31 }] }),
    run: (call) => deleteAnalytics(deps, call.actor, queryOf(call)),
  });
}
