import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerListener, RetrievedPage, TokenUsage, ToolCall, ToolResult } from '../../core/assistant/answer-event.ts';
import type { ChatRequest, ToolStep } from '../../core/assistant/chat-request.ts';
import { cutMarkdown } from '../../core/assistant/cut-markdown.ts';
import { extractiveAnswer } from '../../core/assistant/extractive/extractive-answer.ts';
import { LinkCheck, type ResolveLink } from '../../core/assistant/link-check.ts';
import { type SpokenText, ThinkTags } from '../../core/assistant/think-tags.ts';
import type { ChatModel, ChatPart } from '../../ports/chat-model.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import type { Draft } from './answer-draft.ts';

/** After so many turns the model has to answer from what it has. */
const MAX_STEPS = 5;
const MAX_CALLS_PER_STEP = 4;
/** Characters of a tool's output that the model reads; each page of a search has its share. */
const MAX_OUTPUT = 12_000;
/** A model that asks to wait longer is not asked again: the reader gets the quotes at once. */
const MAX_RETRY_SECONDS = 15;

export interface WriteAnswerOptions {
  model: ChatModel;
  /** As it is before the model did anything. */
  request: Omit<ChatRequest, 'steps' | 'mayUseTools'>;
  /** Takes note of what is said. */
  draft: Pick<Draft, 'text' | 'add' | 'newSources'>;
  /** Does what the model asks for. */
  runTool: (call: ToolCall) => Promise<ToolResult>;
  /** Where the links of the answer lead. */
  resolveLink: ResolveLink;
  emit: AnswerListener;
  /** Hears of a fault of the model that the reader does not see. */
  onFault: (fault: unknown) => void;
  signal: AbortSignal;
}

type Finish = Extract<ChatPart, { type: 'finish' }>;

/** Why an answer ended, and what it cost. */
export interface WrittenAnswer extends Omit<Finish, 'type'> {
  /** It was quoted from the documentation, because the model gave none. */
  isQuoted?: true;
}

/**
 * Emits what the model says and does, at most five turns of it. An answer always has words: where the model ends without any, it
 * is asked once more without tools; where it fails before the first word, once more after a pause; and in the end the
 * documentation is quoted.
 * @throws ProviderFault where the model fails after it said something
 */
export async function writeAnswer(options: WriteAnswerOptions): Promise<WrittenAnswer> {
  const { draft, signal, onFault } = options;
  const run: Run = {
    steps: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    end: { reason: 'other' },
    mayRetry: true,
    given: new Set(),
    saidUntil: draft.text.length,
  };
  try {
    await askUntilAnswered(options, run);
  } catch (fault) {
    if (signal.aborted || hasWords(options, run)) throw fault;
    onFault(fault);
    return quote(options, run, { withoutModel: true });
  }
  if (signal.aborted || hasWords(options, run)) return { ...run.end, usage: run.usage };
  return quote(options, run, {});
}

interface Run {
  steps: ToolStep[];
  usage: TokenUsage;
  end: Pick<Finish, 'reason' | 'answered'>;
  mayRetry: boolean;
  /** Texts of pages that tools gave; none is given twice. */
  given: Set<string>;
  /** Length of the text when the last tools had run: what the answer is comes after it. */
  saidUntil: number;
}

function hasWords({ draft }: WriteAnswerOptions, { saidUntil }: Run): boolean {
  return draft.text.slice(saidUntil).trim() !== '';
}

async function askUntilAnswered(options: WriteAnswerOptions, run: Run): Promise<void> {
  const { draft, signal } = options;
  for (let mayUseTools = true; ; ) {
    const before = draft.text.length;
    const wanted = await ask(options, run, mayUseTools);
    if (run.end.reason === 'tool-calls') run.end.reason = 'other';
    if (signal.aborted || !mayUseTools) return;
    if (wanted.length > 0) {
      await runTools(options, run, wanted, draft.text.slice(before));
      mayUseTools = run.steps.length < MAX_STEPS - 1;
    } else if (hasWords(options, run) || run.end.reason === 'content-filter') return;
    else mayUseTools = false;
  }
}

type WantedCall = Extract<ChatPart, { type: 'tool-call' }>;

/** One turn of the model. It is repeated once where the model was busy before it said a word. @returns the calls that it wants */
async function ask(options: WriteAnswerOptions, run: Run, mayUseTools: boolean): Promise<WantedCall[]> {
  const { model, request, draft, emit, signal, onFault } = options;
  const wanted: WantedCall[] = [];
  const tags = new ThinkTags();
  const links = new LinkCheck(options.resolveLink);
  const before = draft.text.length;
  const say = (spoken: readonly SpokenText[]): Promise<void> | undefined => {
    const [first, ...others] = spoken;
    if (!first) return undefined;
    const handled = first.type === 'text' ? sayText(links.push(first.text)) : emit(first);
    return others.length === 0 ? handled : (handled ?? Promise.resolve()).then(() => say(others));
  };
  const sayText = (text: string): Promise<void> | undefined => {
    if (text === '') return undefined;
    draft.add(text);
    return emit({ type: 'text', text });
  };
  const onPart = (part: ChatPart): Promise<void> | undefined => {
    if (part.type === 'text') {
      return tags.isText ? sayText(links.push(part.text)) : say(tags.push(part.text));
    }
    if (part.type === 'reasoning') return emit(part);
    if (part.type === 'tool-call') wanted.push(part);
    else {
      run.end = { reason: part.reason, ...(part.answered !== undefined && { answered: part.answered }) };
      run.usage.inputTokens += part.usage.inputTokens;
      run.usage.outputTokens += part.usage.outputTokens;
    }
    return undefined;
  };
  try {
    await model.stream({ ...request, steps: [...run.steps], mayUseTools }, onPart, signal);
  } catch (fault) {
    const pauseSeconds = run.mayRetry && draft.text.length === before ? pauseBefore(fault) : undefined;
    if (pauseSeconds === undefined || signal.aborted) throw fault;
    run.mayRetry = false;
    onFault(fault);
    await sleep(pauseSeconds * 1000, undefined, { signal }).catch(() => {});
    return signal.aborted ? [] : ask(options, run, mayUseTools);
  }
  await say(tags.end());
  await sayText(links.end());
  return wanted;
}

/** Seconds to wait before the same request may succeed; undefined where it is not worth it. */
function pauseBefore(fault: unknown): number | undefined {
  if (!(fault instanceof ProviderFault) || fault.kind !== 'busy') return undefined;
  const seconds = fault.retryAfterSeconds ?? 1;
  return seconds <= MAX_RETRY_SECONDS ? seconds : undefined;
}

async function runTools(options: WriteAnswerOptions, run: Run, wanted: readonly WantedCall[], text: string): Promise<void> {
  const { emit, draft } = options;
  const step: ToolStep = { text, calls: [] };
  for (const { id, call } of wanted.slice(0, MAX_CALLS_PER_STEP)) {
    await emit({ type: 'tool-call', toolCallId: id, call });
    const result = await options.runTool(call);
    await emit({ type: 'tool-result', toolCallId: id, result });
    for (const source of draft.newSources(result)) await emit(source);
    step.calls.push({ id, call, output: outputFor(result, run.given) });
  }
  run.steps.push(step);
  run.saidUntil = draft.text.length;
}

/** Answers from the passages alone. */
async function quote(
  { request, draft, emit }: WriteAnswerOptions,
  { usage }: Run,
  how: Pick<ChatRequest, 'withoutModel'>,
): Promise<WrittenAnswer> {
  const { pieces, answered } = extractiveAnswer({ ...request, ...how, steps: [], mayUseTools: false });
  const text = (draft.text === '' ? '' : '\n\n') + pieces.join('');
  draft.add(text);
  await emit({ type: 'text', text });
  return { reason: 'stop', answered, usage, isQuoted: true };
}

/** What a tool gave, as the model reads it. */
function outputFor(result: ToolResult, given: Set<string>): string {
  if (result.name !== 'search') return cutMarkdown(result.content, MAX_OUTPUT);
  if (result.results.length === 0) return 'Nothing was found.';
  const share = Math.floor(MAX_OUTPUT / result.results.length);
  return result.results.map((page) => pageText(page, share, given)).join('\n\n');
}

function pageText({ metadata, url, content }: RetrievedPage, share: number, given: Set<string>): string {
  const text = cutMarkdown(content, share);
  const isNew = !given.has(`${url}\n${text}`);
  given.add(`${url}\n${text}`);
  return `# ${metadata.title}\n${url}\n\n${isNew ? text : 'As above.'}`;
}
