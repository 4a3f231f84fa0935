import { readPassage } from '@docent/assistant/answer-basis.ts';
import { type AssistantSettings, supportLinks } from '@docent/assistant/assistant-settings.ts';
import type {
  AnswerEvent,
  NextQuestions,
  RetrievedPage,
  TokenUsage,
  ToolCall,
  ToolResult,
} from '@docent/assistant/chat/answer-event.ts';
import { statusOfUnmarked } from '@docent/assistant/chat/answer-status.ts';
import type { AssistantQuestion } from '@docent/assistant/chat/chat-request.ts';
import {
  joinSearches,
  needsQuery,
  queryRequest,
} from '@docent/assistant/model/conversation-query.ts';
import { instructionsFor, modelPrompt } from '@docent/assistant/model/model-prompt.ts';
import { nextQuestions } from '@docent/assistant/next-questions.ts';
import { languageOf, withContext } from '@docent/assistant/quoted-answer.ts';
import { foreignWords } from '@docent/assistant/retrieve/foreign-words.ts';
import { type Retrieval, retrieve } from '@docent/assistant/retrieve/retrieve.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import type { AnswerReport } from '../kernel/process-state.ts';
import { answerLink, grepFiles, listFiles, readPage } from '../kernel/sites/site-pages.ts';
import type { ChatModel, Passage } from '../ports/chat-model.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { searchSite } from '../search/search-site.ts';
import { type Draft, openAnswerDraft, readOf } from './answer-draft.ts';
import { findOrBeginThread, recordQuestion } from './conversation.ts';
import { type ConversationQuery, writeQuery } from './conversation-query.ts';
import { settingsOfThread } from './experiment.ts';
import { estimatedUsage, sumOfUsage } from './model-usage.ts';
import { nothingStored } from './thread-writes.ts';
import { waitDaysOf } from './waiting/waiting-readers.ts';
import { writeAnswer } from './write-answer.ts';

export type AnswerDeps = Pick<
  Deps,
  | 'threads'
  | 'clock'
  | 'model'
  | 'models'
  | 'quotingModel'
  | 'modelUsage'
  | 'logger'
  | 'siteSearch'
  | 'assistantSettings'
  | 'threadTurns'
  | 'threadWrites'
  | 'answerNotices'
> &
  Partial<Pick<Deps, 'mailer'>>;

/** Of a model's tool input. */
const MAX_QUERY_LENGTH = 600;
/** Deeper folders are one line each when pages are listed. */
const LISTED_LEVELS = 2;

/** The state before any tool ran. */
const NO_TOOLS = { steps: [], mayUseTools: false };

/** Model name of a stored answer that was quoted instead of the model's. */
export const QUOTING = 'extractive';

/** A started answer: everything that can be refused was refused before it. */
export interface StartedAnswer {
  threadId: string;
  /** The secret of a new thread. */
  newThreadKey?: string;
  /** To be read once, to its end. Never throws: an error becomes an `error` event. */
  events: AsyncIterable<AnswerEvent>;
}

/**
 * Answers a question about a site from its documentation.
 * @param signal ends the answer at once; the text so far is stored as incomplete
 * @param onEnd called once with how the answer ended
 * @throws DocentError `thread_not_found`, `assistant_disabled`
 */
export async function answerQuestion(
  baseDeps: AnswerDeps,
  shownSite: LiveSite,
  question: AssistantQuestion,
  signal: AbortSignal,
  onEnd: (report: AnswerReport) => void = () => {},
): Promise<StartedAnswer> {
  const site = question.groups ? shownSite.narrowed(question.groups) : shownSite;
  const deps = question.isTry
    ? { ...baseDeps, threadWrites: nothingStored, answerNotices: undefined }
    : baseDeps;
  const [index, siteSettings] = await Promise.all([
    site.searchIndex(),
    deps.assistantSettings.of(site.siteId),
  ]);
  if (!siteSettings.enabled)
    throw new DocentError('assistant_disabled', 'The assistant of this site is turned off.');
  const { fp, threadId, threadKey } = question;
  const claim = {
    siteId: site.siteId,
    fp,
    threadId,
    threadKey,
    requireKey: siteSettings.requireThreadKey,
  };
  const thread = await findOrBeginThread(deps, claim);
  const settings = question.isTry ? siteSettings : settingsOfThread(siteSettings, thread.id);
  const endTurn = await deps.threadTurns.take(thread.id, signal);
  try {
    const { earlier, stored } = await recordQuestion(deps, thread, question, site);
    stored.catch((error) =>
      deps.logger.error(
        { threadId: thread.id, reason: errorMessage(error) },
        'a question could not be stored',
      ),
    );
    const whole = { ...question, turns: [...earlier, ...question.turns] };
    const search = (query: AssistantQuestion) =>
      retrieve(index, query, {
        publicUrl: site.publicUrl,
        defaults: defaultLabels(site.build),
        rules: settings,
        foreignWords,
        search: (text, options) => deps.siteSearch.hits(site, text, options),
      });
    const model = await modelFor(deps, site.siteId, settings);
    const conversationQuery = queryFor(deps, { site, model, question: whole, signal });
    const retrieval = await search(whole);
    const writing: Writing = {
      site,
      settings,
      model,
      question: whole,
      retrieval,
      conversationQuery,
      search,
      threadId: thread.id,
      signal,
      endTurn,
      onEnd,
    };
    return {
      threadId: thread.id,
      newThreadKey: thread.newKey,
      events: answerEvents(deps, writing),
    };
  } catch (error) {
    endTurn();
    throw error;
  }
}

/** Returns the model of a site, or quotes once its models used up what they may on a day. */
async function modelFor(
  deps: AnswerDeps,
  siteId: string,
  settings: AssistantSettings,
): Promise<ChatModel> {
  const model = modelOf(deps, settings);
  if (isQuoting(model) || !(await hasUsedItsTokens(deps, siteId, settings))) return model;
  await deps.answerNotices?.tokensUsedUp(siteId);
  return deps.quotingModel;
}

/**
 * Returns the language model of a site, for what cannot be done without.
 * @throws DocentError `no_language_model`; `quota_exceeded` if the tokens of the day are used up
 */
export async function languageModelFor(
  deps: ModelDeps,
  siteId: string,
  settings: AssistantSettings,
): Promise<ChatModel> {
  const model = modelOf(deps, settings);
  if (isQuoting(model))
    throw new DocentError(
      'no_language_model',
      'This site has no language model. Its operator adds one with DOCENT_MODEL.',
    );
  if (await hasUsedItsTokens(deps, siteId, settings))
    throw new DocentError(
      'quota_exceeded',
      'The language model of this site has used its tokens of the day; try again after midnight UTC, or raise tokensPerDay.',
    );
  return model;
}

type ModelDeps = Pick<AnswerDeps, 'model' | 'models' | 'modelUsage'>;

const modelOf = ({ model, models }: ModelDeps, { model: name }: AssistantSettings): ChatModel =>
  (name !== null && models.get(name)) || model;

async function hasUsedItsTokens(
  { modelUsage }: ModelDeps,
  siteId: string,
  { tokensPerDay }: AssistantSettings,
): Promise<boolean> {
  return tokensPerDay !== null && (await modelUsage.today(siteId)) >= tokensPerDay;
}

/** Only the model that quotes knows its pages before it answers. */
const isQuoting = ({ sourcesOf }: ChatModel) => sourcesOf !== undefined;

/**
 * Counts what an answer used, by estimate if its model did not say. An error is logged: it must not
 * cost the reader the answer.
 * @param text what the model wrote; empty if it failed before its first word, and used nothing
 */
async function countUsage(
  { modelUsage, logger }: AnswerDeps,
  writing: Writing,
  { text, usage }: { text: string; usage: TokenUsage | undefined },
): Promise<void> {
  const { site, model, threadId } = writing;
  const { usage: ofQuery } = await writing.conversationQuery;
  const isCounted = usage && usage.inputTokens + usage.outputTokens > 0;
  const estimate = text === '' ? undefined : estimatedUsage(chatRequest(writing), text);
  const tokens = sumOfUsage(isCounted ? usage : estimate, ofQuery);
  if (isQuoting(model) || tokens === undefined) return;
  try {
    await modelUsage.add(site.siteId, model.name, tokens);
  } catch (error) {
    const reason = errorMessage(error);
    logger.error({ threadId, reason }, 'the use of a language model could not be counted');
  }
}

interface Writing {
  site: LiveSite;
  settings: AssistantSettings;
  model: ChatModel;
  question: AssistantQuestion;
  retrieval: Retrieval;
  /** The search that the model writes meanwhile. */
  conversationQuery: Promise<ConversationQuery>;
  search: (question: AssistantQuestion) => Promise<Retrieval>;
  threadId: string;
  signal: AbortSignal;
  /** Lets the next question of the thread start. */
  endTurn: () => void;
  onEnd: (report: AnswerReport) => void;
}

async function* answerEvents(deps: AnswerDeps, writing: Writing): AsyncGenerator<AnswerEvent> {
  const { site, question, threadId, signal } = writing;
  const messageId = messageIdOf(deps, question);
  const { name: model } = writing.model;
  const draft = openAnswerDraft(deps, {
    threadId,
    messageId,
    continues: question.continuesAssistant,
    continued: continuedText(question),
    model,
    onEnd: writing.onEnd,
  });
  let used: { usage?: TokenUsage; isQuoted?: true } = {};
  try {
    yield { type: 'start', messageId, threadId };
    const firstRequest = chatRequest(writing);
    const sources =
      writing.model.sourcesOf?.({ ...firstRequest, ...NO_TOOLS }) ??
      firstRequest.passages.map(({ path }) => path);
    const { query, english = query } = writing.retrieval;
    const passages = readPassages(writing.model, firstRequest);
    draft.basedOn({ name: 'search', input: { query: english } }, passages.map(readPassage));
    yield* firstSearch(deps, writing, new Set(sources), draft);
    yield* searchByModel(deps, writing, draft);
    const request = chatRequest(writing);
    const {
      reason,
      usage,
      status: marked,
      isQuoted,
      quotes,
    } = yield* writeAnswer({
      model: writing.model,
      request,
      draft,
      runTool: async (call) => {
        const result = await runTool(deps, writing, call);
        draft.basedOn(call, readOf(result));
        return result;
      },
      resolveLink: (address) => answerLink(writing.site, address),
      onFault: (fault) => {
        deps.logger.error(
          { threadId, model, reason: errorMessage(fault) },
          'the language model failed',
        );
      },
      signal,
    });
    used = { usage, isQuoted };
    if (signal.aborted) return;
    const status =
      marked ??
      (reason === 'content-filter' ? 'refused' : statusOfUnmarked(draft.text, site.publicUrl));
    const hasAnswer = status === 'answered' || status === 'partly';
    const nextQuestions = hasAnswer ? await nextQuestionsOf(writing, draft.text) : undefined;
    const total = sumOfUsage(usage, (await writing.conversationQuery).usage) ?? usage;
    // Stored before its end is sent, so that the next question of the thread finds it.
    await draft.store(status, total, isQuoted && QUOTING);
    const { siteId } = site;
    if (status === 'not_in_docs')
      await deps.answerNotices?.unanswered({ siteId, threadId, question: question.question });
    const mayWait = status === 'not_in_docs' && question.caller === 'web' && !question.isTry;
    const waitDays = mayWait ? waitDaysOf(deps, writing.settings) : undefined;
    yield { type: 'finish', reason, usage: total, threadId, nextQuestions, quotes, waitDays };
  } catch (error) {
    if (signal.aborted) return;
    deps.logger.error(
      { threadId, model: writing.model.name, reason: errorMessage(error) },
      'the answer failed',
    );
    await draft.store('failed');
    yield {
      type: 'error',
      message: 'The assistant failed while writing this answer. Please try again.',
    };
  } finally {
    await draft.store('aborted');
    const text = used.isQuoted ? '' : draft.text;
    await countUsage(deps, writing, { text, usage: used.usage });
    writing.endTurn();
  }
}

/**
 * The search that runs before the model is called, as if it had requested it. The results are not
 * kept after they were sent.
 * @param used paths of the pages that the answer is based on
 */
function* firstSearch(
  deps: AnswerDeps,
  { retrieval }: Writing,
  used: ReadonlySet<string>,
  draft: Draft,
): Generator<AnswerEvent> {
  const toolCallId = `search-${createUlid(deps.clock.now())}`;
  yield {
    type: 'tool-call',
    toolCallId,
    call: { name: 'search', input: { query: retrieval.query } },
  };
  const results = retrieval.pages.map((page) => (used.has(page.path) ? asUsed(page) : page));
  const result: ToolResult = { name: 'search', results };
  retrieval.pages = [];
  yield { type: 'tool-result', toolCallId, result };
  yield* draft.newSources(result);
}

/** Starts the writing of a follow-up's search, beside the search for the reader's own words. */
function queryFor(
  { logger }: AnswerDeps,
  { site, model, question, signal }: Pick<Writing, 'site' | 'model' | 'question' | 'signal'>,
): Promise<ConversationQuery> {
  if (isQuoting(model) || !needsQuery(question)) return Promise.resolve({});
  const siteName = site.build.config.name;
  const language = question.filter?.language ?? defaultLabels(site.build).language;
  return writeQuery({ model, logger }, queryRequest(question, { siteName, language }), signal);
}

/** The search that the model wrote, if it came in time, as a further one. */
async function* searchByModel(
  deps: AnswerDeps,
  writing: Writing,
  draft: Draft,
): AsyncGenerator<AnswerEvent> {
  const { retrieval, question, signal } = writing;
  const { query } = await writing.conversationQuery;
  if (query === undefined || signal.aborted || retrieval.note !== undefined) return;
  const turns = [{ role: 'user' as const, text: query }];
  const { pages, passages } = await writing.search({ ...question, question: query, turns });
  const call = { name: 'search' as const, input: { query } };
  const toolCallId = `search-${createUlid(deps.clock.now())}`;
  yield { type: 'tool-call', toolCallId, call };
  const result: ToolResult = { name: 'search', results: pages.map(asUsed) };
  yield { type: 'tool-result', toolCallId, result };
  yield* draft.newSources(result);
  const urls = new Set(retrieval.passages.map(({ url }) => url));
  retrieval.passages = joinSearches(passages, retrieval.passages);
  const request = chatRequest(writing);
  const added = readPassages(writing.model, request).filter(({ url }) => !urls.has(url));
  draft.basedOn(call, added.map(readPassage));
}

/** The passages that a model reads: those that fit. */
function readPassages(
  { inputTokens }: ChatModel,
  request: ReturnType<typeof chatRequest>,
): readonly Passage[] {
  return inputTokens === undefined
    ? request.passages
    : modelPrompt({ ...request, ...NO_TOOLS }, inputTokens).passages;
}

/** Marks a page as one that the answer is based on. */
function asUsed({ metadata, ...page }: RetrievedPage): RetrievedPage {
  return { ...page, metadata: { ...metadata, used: true } };
}

/**
 * Suggests the reader's next questions. A question about the page that the reader is on has one
 * meaning, and is about that page.
 */
async function nextQuestionsOf(
  { site, question, retrieval: { passages, pointsAt } }: Writing,
  answer: string,
): Promise<NextQuestions | undefined> {
  if (pointsAt !== undefined || passages.length === 0) return undefined;
  const search = { filter: question.filter, defaults: defaultLabels(site.build) };
  return nextQuestions(question.question, {
    index: await site.searchIndex(),
    search,
    passages,
    answer,
  });
}

/**
 * Runs the model's tools: searches again, reads or lists pages, or finds lines. Its input is data:
 * it reaches only this site.
 */
async function runTool(
  deps: AnswerDeps,
  { site, question }: Writing,
  call: ToolCall,
): Promise<ToolResult> {
  if (call.name === 'search') {
    const results = await searchSite(deps, site, {
      query: call.input.query.slice(0, MAX_QUERY_LENGTH),
      pageSize: question.pageSize,
      scoreThreshold: 0,
      filter: question.filter,
    });
    return { name: 'search', results: results.map(asUsed) };
  }
  const path = call.input.path.slice(0, MAX_QUERY_LENGTH);
  if (call.name === 'list_pages')
    return { name: call.name, content: listFiles(site, path, LISTED_LEVELS) };
  if (call.name === 'grep') {
    const text = call.input.text.slice(0, MAX_QUERY_LENGTH);
    return { name: call.name, content: await grepFiles(site, { text, path, ignoreCase: true }) };
  }
  const page = await readPage(site, path);
  if (!page) return { name: 'read_page', path, content: 'There is no such page.' };
  return { name: 'read_page', ...page };
}

function chatRequest({ site, settings, model, question, retrieval }: Writing) {
  const { note, passages, pointsAt, english, synonyms } = retrieval;
  const support = supportLinks(settings);
  const { images } = question;
  const hasUnseenImages = images.length > 0 && !model.takesImages;
  const instructions = instructionsFor({
    siteName: site.build.config.name,
    siteInstructions: [site.build.assistantInstructions ?? '', settings.instructions ?? ''],
    currentPath: question.currentPath,
    support,
    note,
    hasUnseenImages,
  });
  const language = languageOf(question, retrieval, defaultLabels(site.build).language);
  const visibleImages = model.takesImages ? images : [];
  return {
    instructions,
    turns: withContext(question),
    passages,
    pointsAt,
    english,
    synonyms,
    note,
    support,
    hasUnseenImages,
    language,
    images: visibleImages,
  };
}

/** The start of an answer that is to be continued. */
function continuedText({ continuesAssistant, turns }: AssistantQuestion): string {
  const last = turns.at(-1);
  return continuesAssistant && last?.role === 'assistant' ? last.text : '';
}

/** A continued answer keeps its id, otherwise clients show a second message. */
function messageIdOf({ clock }: Pick<Deps, 'clock'>, question: AssistantQuestion): string {
  if (question.continuesAssistant && question.assistantMessageId)
    return question.assistantMessageId;
  return `msg-${createUlid(clock.now())}`;
}
