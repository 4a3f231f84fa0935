import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import type { AssistantQuestion } from '@docent/assistant/chat/chat-request.ts';
import {
  estimateTokens,
  type ModelPrompt,
  modelPrompt,
} from '@docent/assistant/model/model-prompt.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import type { MessageRow } from '../analytics/conversation-queries.ts';
import { answerView, threadAnswer } from '../analytics/conversation-routes.ts';
import { readSiteThread } from '../analytics/read-analytics.ts';
import type { NewMessage } from '../kernel/db/conversation-rows.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { abortOnClose } from '../kernel/http/streams.ts';
import * as field from '../kernel/operations/described.ts';
import { plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { type AnswerDeps, answerQuestion, languageModelFor } from './answer-question.ts';
import { requireKnownModel } from './assistant-settings.ts';
import { searchRuleFields } from './search-rule-fields.ts';
import { nothingStored } from './thread-writes.ts';

/** Name of the model that quotes, which every platform has. */
const QUOTING_MODEL = 'extractive';

/** What is different in a replay; the rest is as the site has it. */
type ReplaySettings = {
  [Name in 'model' | 'instructions' | 'synonyms' | 'pageRules']?:
    | AssistantSettings[Name]
    | undefined;
};

interface Replay {
  projectId: string;
  threadId: string;
  messageId: string;
  changes: ReplaySettings;
}

type ReplayedAnswer = Omit<MessageRow, 'role' | 'pagePath' | 'caller'>;

type ReplayDeps = AnswerDeps & Pick<Deps, 'config' | 'database' | 'liveSites'>;

/** As many turns before the question as an answer gets. */
const MAX_EARLIER = 20;
const PAGES = 5;

/**
 * Answers a stored question again, from the pages that are live now, with other settings. The
 * answer is not stored; the tokens of a language model are counted as for every other.
 * @throws DocentError `site_not_found`, `thread_not_found`; `invalid_request` for an unknown model
 */
async function replayAnswer(
  deps: ReplayDeps,
  actor: Actor,
  { projectId, threadId, messageId, changes }: Replay,
  signal: AbortSignal,
): Promise<ReplayedAnswer> {
  const { model, ...settings } = changes;
  const isQuoting = model === QUOTING_MODEL;
  const question = await storedQuestion(deps, actor, { projectId, threadId, messageId });
  if (!isQuoting) requireKnownModel(deps.config.models, model);
  const answers: NewMessage[] = [];
  const answerDeps: ReplayDeps = {
    ...deps,
    ...(isQuoting && { model: deps.quotingModel }),
    assistantSettings: {
      ...deps.assistantSettings,
      of: async (id) => ({
        ...(await deps.assistantSettings.of(id)),
        ...defined(settings),
        ...(model !== undefined && { model: isQuoting ? null : model }),
        enabled: true,
        experiment: null,
      }),
    },
    threadWrites: {
      ...nothingStored,
      write: async ({ message }) => {
        if (message.role === 'assistant') answers.push(message);
      },
    },
  };
  await answerAgain(answerDeps, question, signal);
  const [answer] = answers;
  if (!answer) throw new DocentError('dependency_unavailable', 'The answer was interrupted.');
  return rowOf(answer);
}

interface StoredQuestion {
  site: LiveSite;
  question: AssistantQuestion;
}

/** @throws DocentError `site_not_found`, `thread_not_found` */
async function storedQuestion(
  deps: ReplayDeps,
  actor: Actor,
  { projectId, threadId, messageId }: Omit<Replay, 'changes'>,
): Promise<StoredQuestion> {
  const { slug } = await findPermittedSite(deps, actor, 'projects.write', projectId);
  const { messages } = await readSiteThread(deps, actor, {
    ...{ projectId, threadId, from: undefined, to: undefined },
  });
  const question = questionOf(messages, messageId);
  const site = (await deps.liveSites.find(slug))?.as('owner');
  if (!question || !site)
    throw new DocentError('thread_not_found', 'The conversation has no such answer.');
  return { site, question };
}

async function answerAgain(
  deps: ReplayDeps,
  { site, question }: StoredQuestion,
  signal: AbortSignal,
): Promise<void> {
  const { events } = await answerQuestion(deps, site, question, signal);
  for await (const event of events)
    if (event.type === 'error') throw new DocentError('dependency_unavailable', event.message);
}

/**
 * Returns what the language model of a site gets for a stored question first, before it looks
 * further, from the pages and with the settings of now. No model is asked, and nothing is counted.
 * @throws DocentError `site_not_found`, `thread_not_found`, `no_language_model`
 */
async function readPrompt(
  deps: ReplayDeps,
  actor: Actor,
  place: Omit<Replay, 'changes'>,
  signal: AbortSignal,
) {
  const storedTurn = await storedQuestion(deps, actor, place);
  const settings = {
    ...(await deps.assistantSettings.of(storedTurn.site.siteId)),
    tokensPerDay: null,
  };
  const { name, inputTokens = 0 } = await languageModelFor(deps, storedTurn.site.siteId, settings);
  let prompt: ModelPrompt | undefined;
  const model: ChatModel = {
    name,
    async *stream(request) {
      prompt ??= modelPrompt(request, inputTokens || Number.MAX_SAFE_INTEGER);
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
  const of = async () => ({ ...settings, model: null, enabled: true, experiment: null });
  const assistantSettings = { ...deps.assistantSettings, of };
  await answerAgain(
    { ...deps, model, assistantSettings, threadWrites: nothingStored },
    storedTurn,
    signal,
  );
  if (!prompt) throw new DocentError('dependency_unavailable', 'The prompt was interrupted.');
  const { instructions, history, question } = prompt;
  const texts = [instructions, ...history.map(({ text }) => text), question];
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return { model: name, instructions, history, question, estimatedTokens: tokens };
}

function questionOf(
  messages: readonly MessageRow[],
  messageId: string,
): AssistantQuestion | undefined {
  const answerAt = messages.findIndex(({ id, role }) => id === messageId && role === 'assistant');
  const at = messages.findLastIndex(({ role }, index) => index < answerAt && role === 'user');
  const message = messages[at];
  if (!message) return undefined;
  const turns = messages
    .slice(Math.max(0, at - MAX_EARLIER), at + 1)
    .map(({ role, content: text }) => ({ role, text }));
  return {
    ...{ fp: 'anonymous', question: message.content, turns, context: [], images: [] },
    ...{ continuesAssistant: false, pageSize: PAGES, wire: 'full', searchForm: 'object' },
    onlyNewest: false,
    ...(message.pagePath !== null && { currentPath: message.pagePath }),
  };
}

const defined = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>;

function rowOf({ outcome, coverage, basis = null, ...answer }: NewMessage): ReplayedAnswer {
  return {
    ...{ helpful: null, comment: null, basis },
    id: answer.id,
    content: answer.content,
    createdAt: answer.createdAt,
    sources: answer.sources,
    outcome: coverage ?? outcome ?? 'unknown',
    model: answer.model ?? null,
    inputTokens: answer.inputTokens ?? null,
    outputTokens: answer.outputTokens ?? null,
    firstTextMs: answer.firstTextMs ?? null,
    durationMs: answer.durationMs ?? null,
  };
}

const replayBody = z
  .strictObject({
    messageId: z.string().max(64).describe('Identifier of the answer to replay.'),
    model: field.optional(
      z.string().max(40).nullable(),
      'Name of one of the models in `DOCENT_MODELS`; `null` for the default; `extractive` to quote. Default: the model of the site.',
    ),
    instructions: field.optional(
      plainText(0, 4000).nullable(),
      'Instructions instead of those of the site.',
    ),
    synonyms: searchRuleFields.synonyms.optional(),
    pageRules: searchRuleFields.pageRules.optional(),
  })
  .meta({ examples: [{ messageId: '5f0c2f6a9f0b4a518a6e3d1c6f2b7e90', model: 'fast' }] });

const promptBody = z
  .strictObject({ messageId: z.string().max(64).describe('Identifier of the answer.') })
  .meta({ examples: [{ messageId: '5f0c2f6a9f0b4a518a6e3d1c6f2b7e90' }] });

const promptAnswer = field.resource(
  'AnswerPrompt',
  'What a language model gets for a question.',
  {
    model: field.text('The language model.'),
    instructions: field.text('The instructions, with those of the owners of the site.'),
    history: field.list(
      field.resource('PromptTurn', 'An earlier turn of a conversation.', {
        role: field.choice(['user', 'assistant'], 'Who wrote it.'),
        text: field.text('The text.'),
      }),
      'The turns before the question that fit, oldest first.',
    ),
    question: field.text('The passages that fit, best first, and the question.'),
    estimatedTokens: field.int('Estimated tokens of all that.'),
  },
  {
    model: 'anthropic:claude-sonnet-5',
    instructions: 'You are the assistant of the documentation of “Acme”. …',
    history: [],
    question: 'Passages of the documentation, best first: …',
    estimatedTokens: 5210,
  },
);

/** `POST /v1/analytics/{projectId}/assistant/threads/{threadId}/replay` and `…/prompt` */
export function replayAnswerRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'POST /v1/analytics/:projectId/assistant/threads/:threadId/prompt',
    operationId: 'readAnswerPrompt',
    summary: 'Get the prompt of an answer',
    description:
      'Returns what the language model of the site gets for the question of a stored answer: instructions, earlier turns, passages and question, from the pages and with the settings of now. No model is asked.',
    permission: 'projects.write',
    refusals: [409, 503],
    body: promptBody,
    answer: promptAnswer,
    run: ({ actor, params, body, reply }) =>
      readPrompt(deps, actor, { ...params, ...body }, abortOnClose(reply)),
  });
  operation({
    route: 'POST /v1/analytics/:projectId/assistant/threads/:threadId/replay',
    operationId: 'replayAssistantAnswer',
    summary: 'Replay an answer',
    description:
      'Answers the question of a stored answer again, from the pages that are live now, with another model or other settings. Nothing is stored, but the tokens count, also for `tokensPerDay`.',
    permission: 'projects.write',
    refusals: [503],
    body: replayBody,
    answer: threadAnswer,
    run: async ({ actor, params, body: { messageId, ...changes }, reply }) =>
      answerView(
        deps,
        await replayAnswer(deps, actor, { ...params, messageId, changes }, abortOnClose(reply)),
      ),
  });
}
