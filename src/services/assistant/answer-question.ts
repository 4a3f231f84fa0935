import type { AnswerListener, EmitAnswer, ToolCall, ToolResult } from '../../core/assistant/answer-event.ts';
import type { AssistantQuestion } from '../../core/assistant/assistant-question.ts';
import { type AssistantSettings, supportLinks } from '../../core/assistant/assistant-settings.ts';
import { instructionsFor } from '../../core/assistant/instructions.ts';
import { type Retrieval, retrieve } from '../../core/assistant/retrieve.ts';
import { errorMessage } from '../../core/error-message.ts';
import { DocentError } from '../../core/errors.ts';
import type { ChatModel, ChatTurn } from '../../ports/chat-model.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import { searchSite } from '../search/search-site.ts';
import { defaultLabels } from '../sites/default-labels.ts';
import type { LiveSite } from '../sites/live-sites.ts';
import { answerLink, readPage } from '../sites/read-page.ts';
import { grepFiles, listFiles } from '../sites/site-markdown.ts';
import { type AnswerReport, type Draft, openAnswerDraft } from './answer-draft.ts';
import { findOrBeginThread } from './find-thread.ts';
import { recordQuestion } from './record-turns.ts';
import { writeAnswer } from './write-answer.ts';

type AnswerDeps = Pick<
  Deps,
  'threads' | 'clock' | 'model' | 'models' | 'logger' | 'siteSearch' | 'assistantSettings' | 'threadTurns' | 'threadWrites'
>;

/** Characters of each selected text that a model is given. */
const MAX_CONTEXT_LENGTH = 4000;
/** Of what a model asks a tool for. */
const MAX_QUERY_LENGTH = 600;
/** Folders deeper than these are one line each when pages are listed. */
const LISTED_LEVELS = 2;

/** What a model is asked first is a request without anything done for it. */
const NO_TOOLS = { steps: [], mayUseTools: false };

/** What an answer is stored under that was quoted in place of the model's. */
const QUOTING = 'extractive';

/** An answer that has begun: everything that can be refused was refused before it. */
export interface BegunAnswer {
  threadId: string;
  /** The secret of a thread that was begun just now. */
  newThreadKey?: string;
  /** Never throws: a fault is an `error` event. */
  emit: EmitAnswer;
}

/**
 * Answers a question about a site from its documentation.
 * @param signal ends the answer at once; what was written until then is stored as incomplete
 * @param onEnd hears once how the answer ended
 * @throws DocentError `thread_not_found`, `assistant_disabled`
 */
export async function answerQuestion(
  deps: AnswerDeps,
  site: LiveSite,
  question: AssistantQuestion,
  signal: AbortSignal,
  onEnd: (report: AnswerReport) => void = () => {},
): Promise<BegunAnswer> {
  const [index, settings] = await Promise.all([site.searchIndex(), deps.assistantSettings.of(site.siteId)]);
  if (!settings.enabled) throw new DocentError('assistant_disabled', 'The assistant of this site is switched off.');
  const { fp, threadId, threadKey } = question;
  const claim = { siteId: site.siteId, fp, threadId, threadKey, requireKey: settings.requireThreadKey };
  const thread = await findOrBeginThread(deps, claim);
  const endTurn = await deps.threadTurns.take(thread.id, signal);
  try {
    const { earlier, stored } = await recordQuestion(deps, thread, question);
    stored.catch((error) => deps.logger.error({ threadId: thread.id, reason: errorMessage(error) }, 'a question was not stored'));
    const whole = { ...question, turns: [...earlier, ...question.turns] };
    const retrieval = await retrieve(index, whole, {
      publicUrl: site.publicUrl,
      defaults: defaultLabels(site.build),
      search: (query, options) => deps.siteSearch.hits(site, query, options),
    });
    const model = (settings.model !== null && deps.models.get(settings.model)) || deps.model;
    const writing: Writing = { site, settings, model, question: whole, retrieval, threadId: thread.id, signal, endTurn, onEnd };
    return { threadId: thread.id, newThreadKey: thread.newKey, emit: (listener) => emitAnswer(deps, writing, listener) };
  } catch (error) {
    endTurn();
    throw error;
  }
}

interface Writing {
  site: LiveSite;
  settings: AssistantSettings;
  model: ChatModel;
  question: AssistantQuestion;
  retrieval: Retrieval;
  threadId: string;
  signal: AbortSignal;
  /** Lets the next question of the thread begin. */
  endTurn: () => void;
  onEnd: (report: AnswerReport) => void;
}

async function emitAnswer(deps: AnswerDeps, writing: Writing, emit: AnswerListener): Promise<void> {
  const { question, retrieval, threadId, signal } = writing;
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
  const hasPages = retrieval.pages.length > 0;
  try {
    await emit({ type: 'start', messageId, threadId });
    const request = chatRequest(writing);
    await emitFirstSearch(deps, writing, writing.model.sourcesOf?.({ ...request, ...NO_TOOLS }), draft, emit);
    const { reason, usage, answered, isQuoted } = await writeAnswer({
      model: writing.model,
      request,
      draft,
      runTool: (call) => runTool(deps, writing, call),
      resolveLink: (address) => answerLink(writing.site, address),
      emit,
      onFault: (fault) => {
        deps.logger.error({ threadId, model, reason: errorMessage(fault) }, 'the language model failed');
      },
      signal,
    });
    if (signal.aborted) return;
    // Stored before its end is sent, so that the next question of the thread finds it.
    await draft.store((answered ?? hasPages) ? 'answered' : 'not_in_docs', usage, isQuoted && QUOTING);
    await emit({ type: 'finish', reason, usage, threadId });
  } catch (error) {
    if (signal.aborted) return;
    deps.logger.error({ threadId, model: writing.model.name, reason: errorMessage(error) }, 'the answer failed');
    await draft.store('failed');
    await emit({ type: 'error', message: 'The assistant failed while it wrote this answer. Please try again.' });
  } finally {
    await draft.store('aborted');
    writing.endTurn();
  }
}

/**
 * The search that was made before the model is asked, as if it had asked for it. What was found is not kept after it was sent.
 * @param sources paths of the pages that are shown; all where it is not known yet which the answer rests on
 */
async function emitFirstSearch(
  deps: AnswerDeps,
  { retrieval }: Writing,
  sources: readonly string[] | undefined,
  draft: Draft,
  emit: AnswerListener,
): Promise<void> {
  const toolCallId = `search-${createUlid(deps.clock.now())}`;
  await emit({ type: 'tool-call', toolCallId, call: { name: 'search', input: { query: retrieval.query } } });
  const results = retrieval.pages.filter(({ path }) => sources === undefined || sources.includes(path));
  const result: ToolResult = { name: 'search', results };
  retrieval.pages = [];
  await emit({ type: 'tool-result', toolCallId, result });
  for (const source of draft.newSources(result)) await emit(source);
}

/** Searches again, reads or lists pages, or finds lines, for the model. What it asks for is data: it reaches this site and nothing else. */
async function runTool(deps: AnswerDeps, { site, question }: Writing, call: ToolCall): Promise<ToolResult> {
  if (call.name === 'search') {
    const results = await searchSite(deps, site, {
      query: call.input.query.slice(0, MAX_QUERY_LENGTH),
      pageSize: question.pageSize,
      scoreThreshold: 0,
      filter: question.filter,
    });
    return { name: 'search', results };
  }
  const path = call.input.path.slice(0, MAX_QUERY_LENGTH);
  if (call.name === 'list_pages') return { name: call.name, content: listFiles(site, path, LISTED_LEVELS) };
  if (call.name === 'grep') {
    const text = call.input.text.slice(0, MAX_QUERY_LENGTH);
    return { name: call.name, content: await grepFiles(site, { text, path, ignoreCase: true }) };
  }
  const page = await readPage(site, path);
  if (!page) return { name: 'read_page', path, content: 'There is no such page.' };
  return { name: 'read_page', ...page };
}

function chatRequest({ site, settings, model, question, retrieval }: Writing) {
  const { note, passages, pointsAt } = retrieval;
  const support = supportLinks(settings);
  const { images } = question;
  const hasUnseenImages = images.length > 0 && !model.takesImages;
  const instructions = instructionsFor({
    siteName: site.build.config.name,
    siteInstructions: site.build.assistantInstructions,
    currentPath: question.currentPath,
    support,
    note,
    hasUnseenImages,
  });
  const language = question.filter?.language ?? passages[0]?.metadata.language ?? defaultLabels(site.build).language;
  return {
    ...{ instructions, turns: withContext(question), passages, pointsAt, note, support, hasUnseenImages },
    ...(language && { language }),
    ...(model.takesImages && images.length > 0 && { images }),
  };
}

/** What the reader has before them stands with the question, as their words, not as ours. */
function withContext({ turns, context }: AssistantQuestion): ChatTurn[] {
  const asked = turns.findLastIndex((turn) => turn.role === 'user');
  if (context.length === 0) return turns;
  const shown = context.map(({ type, value, path }) => {
    return `${type === 'code' ? 'Code' : 'Selected text'}${path ? ` on ${path}` : ''}:\n${value.slice(0, MAX_CONTEXT_LENGTH)}`;
  });
  return turns.map((turn, index) => (index === asked ? { ...turn, text: [turn.text, ...shown].join('\n\n') } : turn));
}

/** The beginning of an answer that is to be continued. */
function continuedText({ continuesAssistant, turns }: AssistantQuestion): string {
  const last = turns.at(-1);
  return continuesAssistant && last?.role === 'assistant' ? last.text : '';
}

/** A continued answer keeps its id, or clients show a second message. */
function messageIdOf({ clock }: Pick<Deps, 'clock'>, question: AssistantQuestion): string {
  if (question.continuesAssistant && question.assistantMessageId) return question.assistantMessageId;
  return `msg-${createUlid(clock.now())}`;
}
