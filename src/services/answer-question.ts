import type { AnswerEvent, TokenUsage } from '../core/assistant/answer-event.ts';
import type { AssistantQuestion } from '../core/assistant/assistant-question.ts';
import { instructionsFor } from '../core/assistant/instructions.ts';
import { type Retrieval, retrieve } from '../core/assistant/retrieve.ts';
import type { ChatPart, ChatTurn } from '../ports/chat-model.ts';
import { defaultLabels } from './default-labels.ts';
import type { Deps } from './deps.ts';
import { findOrBeginThread } from './find-thread.ts';
import { createUlid } from './ids.ts';
import type { LiveSite } from './live-sites.ts';
import { recordAnswer, recordQuestion } from './record-turns.ts';

type AnswerDeps = Pick<Deps, 'database' | 'clock' | 'model' | 'logger'>;

/** Characters of each selected text that a model is given. */
const LONGEST_CONTEXT = 4000;

/** An answer that has begun: everything that can be refused was refused before it. */
export interface BegunAnswer {
  threadId: string;
  /** The secret of a thread that was begun just now. */
  newThreadKey?: string;
  /** To be read once, to its end or until it is given up. Never throws: a fault is an `error` event. */
  events: AsyncIterable<AnswerEvent>;
}

/**
 * Answers a question about a site from its documentation.
 * @param signal ends the answer at once; what was written until then is stored as incomplete
 * @throws DocentError `thread_not_found`
 */
export async function answerQuestion(
  deps: AnswerDeps,
  site: LiveSite,
  question: AssistantQuestion,
  signal: AbortSignal,
): Promise<BegunAnswer> {
  const index = await site.searchIndex();
  const { fp, threadId, threadKey } = question;
  const thread = await findOrBeginThread(deps, { siteId: site.siteId, fp, threadId, threadKey });
  const earlier = await recordQuestion(deps, thread.id, question);
  const whole = { ...question, turns: [...earlier, ...question.turns] };
  const retrieval = retrieve(index, whole, { publicUrl: site.publicUrl, defaults: defaultLabels(site.build) });
  const writing: Writing = { site, question: whole, retrieval, threadId: thread.id, signal };
  return { threadId: thread.id, newThreadKey: thread.newKey, events: answerEvents(deps, writing) };
}

interface Writing {
  site: LiveSite;
  question: AssistantQuestion;
  retrieval: Retrieval;
  threadId: string;
  signal: AbortSignal;
}

async function* answerEvents(deps: AnswerDeps, writing: Writing): AsyncIterable<AnswerEvent> {
  const { question, retrieval, threadId, signal } = writing;
  const draft = openDraft(deps, writing);
  const toolCallId = `search-${createUlid(deps.clock.now())}`;
  try {
    yield { type: 'start', messageId: messageIdOf(deps, question), threadId };
    yield { type: 'search-call', toolCallId, query: retrieval.query };
    yield { type: 'search-result', toolCallId, results: retrieval.pages };
    for (const [index, page] of retrieval.pages.entries()) {
      yield { type: 'source', id: `source-${index + 1}`, url: page.url, title: page.metadata.title };
    }
    let finish: Extract<ChatPart, { type: 'finish' }> = {
      type: 'finish',
      reason: 'other',
      usage: { inputTokens: 0, outputTokens: 0 },
    };
    for await (const part of deps.model.stream(chatRequest(writing), signal)) {
      if (part.type === 'finish') finish = part;
      else {
        if (part.type === 'text') draft.add(part.text);
        yield part;
      }
    }
    if (signal.aborted) return;
    // Stored before its end is told, so that the next question of the thread finds it.
    await draft.store('complete', finish.usage);
    yield { ...finish, threadId };
  } catch (error) {
    if (signal.aborted) return;
    deps.logger.error({ threadId, model: deps.model.name, reason: describe(error) }, 'the answer failed');
    yield { type: 'error', message: 'The assistant failed while it wrote this answer. Please try again.' };
  } finally {
    await draft.store('incomplete');
  }
}

function chatRequest({ site, question, retrieval }: Writing) {
  const { note, passages } = retrieval;
  const instructions = instructionsFor({ siteName: site.build.config.name, ...(note !== undefined && { note }) });
  return { instructions, turns: withContext(question), passages, ...(note !== undefined && { note }) };
}

/** What the reader has before them stands with the question, as their words, not as ours. */
function withContext({ turns, context }: AssistantQuestion): ChatTurn[] {
  const asked = turns.findLastIndex((turn) => turn.role === 'user');
  if (context.length === 0) return turns;
  const shown = context.map(({ type, value, path }) => {
    return `${type === 'code' ? 'Code' : 'Selected text'}${path ? ` on ${path}` : ''}:\n${value.slice(0, LONGEST_CONTEXT)}`;
  });
  return turns.map((turn, index) => (index === asked ? { ...turn, text: [turn.text, ...shown].join('\n\n') } : turn));
}

/** A continued answer keeps its id, or clients show a second message. */
function messageIdOf({ clock }: Pick<Deps, 'clock'>, question: AssistantQuestion): string {
  if (question.continuesAssistant && question.assistantMessageId) return question.assistantMessageId;
  return `msg-${createUlid(clock.now())}`;
}

/** The answer as it grows; stored once. A fault in storing must not cost the reader the answer. */
function openDraft(deps: AnswerDeps, { question, retrieval, threadId }: Writing) {
  const last = question.turns.at(-1);
  let content = question.continuesAssistant && last?.role === 'assistant' ? last.text : '';
  let stored = false;
  return {
    add(text: string): void {
      content += text;
    },
    async store(status: 'complete' | 'incomplete', usage?: TokenUsage): Promise<void> {
      if (stored) return;
      stored = true;
      const sources = retrieval.pages.map(({ url, metadata }) => ({ title: metadata.title, url }));
      const { inputTokens = null, outputTokens = null } = usage ?? {};
      const answer = { threadId, content, sources, status, model: deps.model.name, inputTokens, outputTokens };
      await recordAnswer(deps, answer).catch((error: unknown) => {
        deps.logger.error({ threadId, reason: describe(error) }, 'an answer was not stored');
      });
    },
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
