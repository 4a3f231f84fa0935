import type { AssistantExperiment } from '@docent/assistant/assistant-settings.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import { usageOf } from '../analytics/analytics-schema.ts';
import { listOutcomes, type OutcomeRow } from '../analytics/read-analytics.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { createUlid } from '../kernel/ids.ts';
import * as field from '../kernel/operations/described.ts';
import { plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { updateSiteSettings } from '../kernel/sites/site-queries.ts';
import { changeAssistantSettings, requireKnownModel } from './assistant-settings.ts';
import { type Variant, variantOf } from './experiment.ts';
import { searchRuleFields } from './search-rule-fields.ts';

type ExperimentDeps = Pick<
  Deps,
  'config' | 'database' | 'clock' | 'assistantSettings' | 'modelUsage'
>;

/** The newest answers; older ones are not counted. */
const MAX_ANSWERS = 50_000;

/** What came of the answers of a variant. */
function outcomesOf(config: Deps['config'], rows: readonly OutcomeRow[]) {
  const countOf = (outcome: OutcomeRow['outcome']) =>
    rows.filter((row) => row.outcome === outcome).length;
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
  const costs = rows.map((row) => usageOf(config, row).costUsd);
  return {
    conversations: new Set(rows.map(({ threadId }) => threadId)).size,
    answers: rows.length,
    answered: countOf('answered'),
    partly: countOf('partly'),
    notInDocs: countOf('not_in_docs'),
    refused: countOf('refused'),
    failed: countOf('failed'),
    helpful: rows.filter(({ helpful }) => helpful === true).length,
    notHelpful: rows.filter(({ helpful }) => helpful === false).length,
    tokens: sum(rows.flatMap(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])),
    costUsd: costs.every((cost) => cost === null) ? null : sum(costs),
  };
}

/** @throws DocentError `site_not_found` */
async function readExperiment(deps: ExperimentDeps, actor: Actor, site: string) {
  const { id } = await findPermittedSite(deps, actor, 'projects.read', site);
  deps.assistantSettings.invalidate(id);
  const { experiment = null } = await deps.assistantSettings.of(id);
  if (experiment === null) return { experiment };
  const startedAt = new Date(experiment.startedAt);
  const rows = await listOutcomes(deps.database.queries, id, startedAt, MAX_ANSWERS);
  const of = (variant: Variant) =>
    outcomesOf(
      deps.config,
      rows.filter(({ threadId }) => variantOf(experiment, threadId) === variant),
    );
  const { share, settings } = experiment;
  return { experiment: { share, settings, startedAt, current: of('current'), other: of('other') } };
}

/**
 * Starts an experiment, in place of one that runs.
 * @throws DocentError `site_not_found`; `invalid_request` for a model that the platform lacks
 */
async function startExperiment(
  deps: ExperimentDeps,
  actor: Actor,
  site: string,
  { share, ...settings }: Pick<AssistantExperiment, 'share'> & AssistantExperiment['settings'],
) {
  const { id: siteId } = await findPermittedSite(deps, actor, 'projects.write', site);
  requireKnownModel(deps.config.models, settings.model);
  const now = deps.clock.now();
  const id = createUlid(now);
  const experiment: AssistantExperiment = { id, startedAt: now.toISOString(), share, settings };
  await updateSiteSettings(deps.database.queries, siteId, 'assistant_settings', { experiment });
  return readExperiment(deps, actor, site);
}

/**
 * Ends the experiment, and takes over its settings if they are to be adopted.
 * @throws DocentError `site_not_found`; `experiment_not_found`
 */
async function endExperiment(deps: ExperimentDeps, actor: Actor, site: string, adopt: boolean) {
  const { id } = await findPermittedSite(deps, actor, 'projects.write', site);
  deps.assistantSettings.invalidate(id);
  const { experiment = null } = await deps.assistantSettings.of(id);
  if (experiment === null)
    throw new DocentError('experiment_not_found', 'No experiment runs on this site.');
  await changeAssistantSettings(deps, actor, site, {
    ...(adopt && (experiment.settings as object)),
    experiment: null,
  });
}

const model = field.optional(
  z.string().max(40).nullable(),
  'Name of one of the models in `DOCENT_MODELS`; `null` for the default.',
);
const instructions = field.optional(
  plainText(0, 4000).nullable(),
  'Instructions instead of those of the site.',
);
const otherSettings = {
  model,
  instructions,
  synonyms: searchRuleFields.synonyms.optional(),
  pageRules: searchRuleFields.pageRules.optional(),
};
const share = z
  .int()
  .min(1)
  .max(99)
  .describe('Percentage of new conversations that have the other settings.');

const experimentBody = z
  .strictObject({ share, ...otherSettings })
  .refine((body) => Object.keys(body).length > 1, 'must have at least one setting')
  .meta({ examples: [{ share: 20, instructions: 'Answer in at most three sentences.' }] });

const outcomes = field.resource('VariantOutcomes', 'What came of the answers of a variant.', {
  conversations: field.int('Number of conversations.'),
  answers: field.int('Number of answers.'),
  answered: field.int('Answers with the outcome `answered`.'),
  partly: field.int('Answers with the outcome `partly`.'),
  notInDocs: field.int('Answers with the outcome `not_in_docs`.'),
  refused: field.int('Answers with the outcome `refused`.'),
  failed: field.int('Answers with the outcome `failed`.'),
  helpful: field.int('Answers that readers rated as helpful.'),
  notHelpful: field.int('Answers that readers rated as not helpful.'),
  tokens: field.int('Tokens that language models read and wrote.'),
  costUsd: field.number.orNull('Cost in US dollars; `null` without prices for the models.'),
});

const exampleOutcomes = {
  ...{ conversations: 212, answers: 340, answered: 251, partly: 40, notInDocs: 44, refused: 4 },
  ...{ failed: 1, helpful: 61, notHelpful: 9, tokens: 1_904_220, costUsd: 6.1 },
};

const experimentAnswer = field.resource(
  'AssistantExperiment',
  'Two settings of an assistant, side by side.',
  {
    experiment: field.partOrNull('The experiment; `null` if none runs.', {
      share,
      settings: field.part('What is different.', otherSettings),
      startedAt: field.time('When it started.'),
      current: outcomes.describe('With the settings of the site.'),
      other: outcomes.describe('With the other settings.'),
    }),
  },
  {
    experiment: {
      share: 20,
      settings: { instructions: 'Answer in at most three sentences.' },
      startedAt: '2026-11-21T10:41:00.000Z',
      current: exampleOutcomes,
      other: exampleOutcomes,
    },
  },
);

/** `GET`, `POST` and `DELETE /v1/project/{projectId}/assistant-experiment` */
export function experimentRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const url = '/v1/project/:projectId/assistant-experiment';
  operation({
    route: `GET ${url}`,
    operationId: 'getAssistantExperiment',
    summary: 'Get the experiment of an assistant',
    description:
      'Returns the experiment that runs on a site, with what came of the answers of both settings since it started: the newest 50,000.',
    permission: 'projects.read',
    answer: experimentAnswer,
    run: ({ actor, params }) => readExperiment(deps, actor, params.projectId),
  });
  operation({
    route: `POST ${url}`,
    operationId: 'startAssistantExperiment',
    summary: 'Start an experiment',
    description:
      'Gives a share of the new conversations other settings of the assistant. A conversation keeps its settings. Replaces an experiment that runs, whose outcomes are not kept.',
    permission: 'projects.write',
    body: experimentBody,
    answer: experimentAnswer,
    run: ({ actor, params, body }) => startExperiment(deps, actor, params.projectId, body),
  });
  operation({
    route: `DELETE ${url}`,
    operationId: 'endAssistantExperiment',
    summary: 'End the experiment',
    description: 'Ends the experiment of a site, and takes over its settings if you decide so.',
    permission: 'projects.write',
    query: z.object({
      adopt: field.optional(z.enum(['true', 'false']), 'Whether to save the other settings.'),
    }),
    answer: z.null().describe('The experiment has ended.'),
    run: ({ actor, params, query }) =>
      endExperiment(deps, actor, params.projectId, query.adopt === 'true'),
  });
}
