import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AnswerEvent,
  RetrievedPage,
  TokenUsage,
  ToolCall,
  ToolResult,
} from '@docent/assistant/chat/answer-event.ts';
import { LinkCheck, type ResolveLink } from '@docent/assistant/chat/answer-links.ts';
import { StatusReader } from '@docent/assistant/chat/answer-status.ts';
import type { ChatRequest, ToolStep } from '@docent/assistant/chat/chat-request.ts';
import { cutMarkdown } from '@docent/assistant/chat/markdown-blocks.ts';
import {
  extractiveAnswer,
  statusOfQuotes,
} from '@docent/assistant/extractive/extractive-answer.ts';
import { type ModelPart, ModelText } from '@docent/assistant/model/model-text.ts';
import type { ChatModel, ChatPart } from '../ports/chat-model.ts';
import { ProviderFault } from '../ports/provider-fault.ts';
import type { Draft } from './answer-draft.ts';

/** After this many turns the model must answer with what it has. */
const MAX_STEPS = 5;
const MAX_CALLS_PER_STEP = 4;
/** Maximum characters of a tool's output for the model; each page of a search gets a share. */
const MAX_OUTPUT = 12_000;
/**
 * If a model asks for a longer wait, it is not called again: the reader gets the quotes at once.
 */
const MAX_RETRY_SECONDS = 15;

export interface WriteAnswerOptions {
  model: ChatModel;
  /** The state before the model did anything. */
  request: Omit<ChatRequest, 'steps' | 'mayUseTools'>;
  /** Records what is emitted. */
  draft: Pick<Draft, 'text' | 'add' | 'newSources'>;
  runTool: (call: ToolCall) => Promise<ToolResult>;
  resolveLink: ResolveLink;
  /** Called with an error of the model that the reader does not see. */
  onFault: (fault: unknown) => void;
  signal: AbortSignal;
}

type Finish = Extract<ChatPart, { type: 'finish' }>;

/** Why an answer ended, how far it answers its question, if the model said so, and its cost. */
export interface WrittenAnswer extends Omit<Finish, 'type'> {
  /** Quoted from the documentation, because the model returned none. */
  isQuoted?: true;
}

/**
 * Yields the model's text and tool calls, in at most five turns. An answer always has a text: if
 * the model ends without any, it is called once more without tools; if it fails before the first
 * word, once more after a pause; and finally the documentation is quoted.
 * @throws ProviderFault if the model fails after its first text
 */
export async function* writeAnswer(
  options: WriteAnswerOptions,
): AsyncGenerator<AnswerEvent, WrittenAnswer> {
  const { model, request, draft, signal, onFault } = options;
  const run: Run = {
    steps: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    end: { reason: 'other' },
    given: new Set(),
    saidUntil: draft.text.length,
  };
  let mayRetry = true;
  try {
    for (let mayUseTools = true; ; ) {
      const turn = openTurn(options, run, mayUseTools);
      try {
        // One generator for all pieces: thousands of answers arrive in small ones, and each level
        // of generators costs promises.
        for await (const part of model.stream(
          { ...request, steps: [...run.steps], mayUseTools },
          signal,
        ))
          for (const event of turn.take(part)) yield event;
      } catch (fault) {
        const pauseSeconds = mayRetry && turn.text === '' ? pauseBefore(fault) : undefined;
        if (pauseSeconds === undefined || signal.aborted) throw fault;
        mayRetry = false;
        onFault(fault);
        await sleep(pauseSeconds * 1000, undefined, { signal }).catch(() => {});
        continue;
      }
      for (const event of turn.end()) yield event;
      if (signal.aborted || !mayUseTools) break;
      if (turn.wanted.length > 0) {
        yield* runTools(options, run, turn);
        mayUseTools = run.steps.length < MAX_STEPS - 1;
      } else if (hasWords(options, run) || run.end.reason === 'content-filter') break;
      else mayUseTools = false;
    }
  } catch (fault) {
    if (signal.aborted || hasWords(options, run)) throw fault;
    onFault(fault);
    return yield* quote(options, run, { withoutModel: true });
  }
  if (signal.aborted || hasWords(options, run)) return { ...run.end, usage: run.usage };
  return yield* quote(options, run, {});
}

interface Run {
  steps: ToolStep[];
  usage: TokenUsage;
  end: Pick<Finish, 'reason' | 'status' | 'quotes'>;
  /** Page texts that tools returned; none is returned twice. */
  given: Set<string>;
  /** Length of the text when the last tools had run: the actual answer comes after it. */
  saidUntil: number;
}

function hasWords({ draft }: WriteAnswerOptions, { saidUntil }: Run): boolean {
  return draft.text.slice(saidUntil).trim() !== '';
}

type WantedCall = Extract<ChatPart, { type: 'tool-call' }>;

/** Starts one turn of the model: its parts become events, its tool calls are collected. */
function openTurn(
  { model, draft, resolveLink }: WriteAnswerOptions,
  { steps, end, usage }: Run,
  mayUseTools: boolean,
) {
  const toolCalls: WantedCall[] = [];
  const links = new LinkCheck(resolveLink);
  const mark = new StatusReader();
  // What the extractive model quotes is the documentation's text, not a model's.
  const isQuoting = model.sourcesOf !== undefined;
  const modelText = isQuoting ? undefined : new ModelText(model);
  const startsAt = draft.text.length;

  function write(text: string): AnswerEvent[] {
    if (text === '') return [];
    draft.add(text);
    return [{ type: 'text', text }];
  }

  function emit(parts: readonly ModelPart[]): AnswerEvent[] {
    return parts.flatMap((part) => {
      if (part.type === 'text')
        return write(links.push(isQuoting ? part.text : mark.push(part.text)));
      if (part.type === 'reasoning') return [part];
      if (mayUseTools)
        toolCalls.push({
          type: 'tool-call',
          id: `written-${steps.length}-${toolCalls.length}`,
          call: part.call,
        });
      return [];
    });
  }

  return {
    wanted: toolCalls,
    /** The text that was emitted in this turn. */
    get text(): string {
      return draft.text.slice(startsAt);
    },
    take(part: ChatPart): readonly AnswerEvent[] {
      if (part.type === 'text') return emit(modelText ? modelText.push(part.text) : [part]);
      if (part.type === 'reasoning') return [part];
      if (part.type === 'tool-call') toolCalls.push(part);
      else {
        end.reason = part.reason === 'tool-calls' ? 'other' : part.reason;
        end.status = part.status;
        end.quotes = part.quotes;
        usage.inputTokens += part.usage.inputTokens;
        usage.outputTokens += part.usage.outputTokens;
      }
      return [];
    },
    /** Returns the events of what was held back. */
    end(): readonly AnswerEvent[] {
      const rest = emit(modelText?.end() ?? []);
      const text = links.push(mark.end()) + links.end();
      end.status ??= mark.status;
      return [...rest, ...write(text)];
    },
  };
}

/**
 * Returns the seconds to wait before the same request may succeed; undefined if a retry is not
 * worthwhile.
 */
function pauseBefore(fault: unknown): number | undefined {
  if (!(fault instanceof ProviderFault) || fault.kind !== 'busy') return undefined;
  const seconds = fault.retryAfterSeconds ?? 1;
  return seconds <= MAX_RETRY_SECONDS ? seconds : undefined;
}

async function* runTools(
  { draft, runTool }: WriteAnswerOptions,
  run: Run,
  { wanted, text }: ReturnType<typeof openTurn>,
): AsyncGenerator<AnswerEvent, void> {
  const step: ToolStep = { text, calls: [] };
  for (const { id, call } of wanted.slice(0, MAX_CALLS_PER_STEP)) {
    yield { type: 'tool-call', toolCallId: id, call };
    const result = await runTool(call);
    yield { type: 'tool-result', toolCallId: id, result };
    yield* draft.newSources(result);
    step.calls.push({ id, call, output: outputFor(result, run.given) });
  }
  run.steps.push(step);
  run.saidUntil = draft.text.length;
}

/** Answers from the passages alone. */
function* quote(
  { request, draft }: WriteAnswerOptions,
  { usage }: Run,
  how: Pick<ChatRequest, 'withoutModel'>,
): Generator<AnswerEvent, WrittenAnswer> {
  const { pieces, ...answer } = extractiveAnswer({
    ...request,
    ...how,
    steps: [],
    mayUseTools: false,
  });
  const text = (draft.text === '' ? '' : '\n\n') + pieces.join('');
  draft.add(text);
  yield { type: 'text', text };
  return {
    reason: 'stop',
    status: statusOfQuotes(answer),
    usage,
    quotes: answer.quotes,
    isQuoted: true,
  };
}

/** Returns a tool's output as the model reads it. */
function outputFor(result: ToolResult, returnedTexts: Set<string>): string {
  if (result.name !== 'search') return cutMarkdown(result.content, MAX_OUTPUT);
  if (result.results.length === 0) return 'Nothing was found.';
  const share = Math.floor(MAX_OUTPUT / result.results.length);
  return result.results.map((page) => pageText(page, share, returnedTexts)).join('\n\n');
}

function pageText(
  { metadata, url, content }: RetrievedPage,
  share: number,
  returnedTexts: Set<string>,
): string {
  const text = cutMarkdown(content, share);
  const isNew = !returnedTexts.has(`${url}\n${text}`);
  returnedTexts.add(`${url}\n${text}`);
  return `# ${metadata.title}\n${url}\n\n${isNew ? text : 'As above.'}`;
}
