import { modelPrompt } from '@docent/assistant/model/model-prompt.ts';
import { readCall } from '@docent/assistant/model/tool-calls.ts';
import type { LanguageModelChoice } from '@docent/format/model-choices.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { createJsonPost } from '../model-client/post-json.ts';
import { modelTools, reasonOf } from './model-tools.ts';
import { type Completion, countOf, createStreamedModel, readEvent } from './streamed-model.ts';

/** Where Ollama listens if nothing else is set. */
export const OLLAMA_URL = 'http://localhost:11434';
const SHOW_TIMEOUT_MS = 5000;
/** Docent estimates tokens; a model may count a third more. */
const SPARE = 4 / 3;
/** Contexts are multiples of this. */
const STEP = 1024;
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_CALLS = 32;

type OllamaOptions = Omit<LanguageModelChoice, 'provider' | 'region'>;

/** What Ollama tells about a model. */
export interface OllamaModel {
  /** Maximum tokens that it was trained to read; undefined if unknown. */
  contextLength: number | undefined;
  /** Whether it can call tools; a request with tools is refused otherwise. */
  callsTools: boolean;
}

/**
 * Asks Ollama about a model (`POST /api/show`).
 * @param url base address, with or without the `/v1` of its OpenAI API
 * @throws ProviderFault if no Ollama answers there, or it does not have the model
 */
export async function showOllamaModel({
  url = OLLAMA_URL,
  model,
  apiKey,
}: Pick<OllamaOptions, 'url' | 'model' | 'apiKey'>) {
  const show = createJsonPost({ url: `${baseOf(url)}/api/show`, apiKey, what: 'Ollama' });
  const answer = (await show({ model }, AbortSignal.timeout(SHOW_TIMEOUT_MS))) as Record<
    string,
    unknown
  > | null;
  const info = answer?.model_info as Record<string, unknown> | undefined;
  if (typeof info !== 'object' || info === null)
    throw new ProviderFault('refused', 'The server is not Ollama.');
  const length = countOf(info[`${String(info['general.architecture'])}.context_length`]);
  const { capabilities } = answer as { capabilities?: unknown };
  return {
    contextLength: length === 0 ? undefined : length,
    // Older releases do not tell.
    callsTools: !Array.isArray(capabilities) || capabilities.includes('tools'),
  } satisfies OllamaModel;
}

function baseOf(url: string): string {
  return url.replace(/(?:\/v1)?\/?$/, '');
}

/**
 * Returns the context that a question and its answer need, in tokens, as far as the model has it.
 */
export function contextFor(
  { inputTokens, maxOutputTokens }: Pick<OllamaOptions, 'inputTokens' | 'maxOutputTokens'>,
  has = Infinity,
) {
  return Math.min(has, Math.ceil((inputTokens * SPARE + maxOutputTokens) / STEP) * STEP);
}

/** Returns the input tokens that fit, besides the answer, what Docent's estimate may be off. */
export function fittingTokens(
  { inputTokens, maxOutputTokens }: Pick<OllamaOptions, 'inputTokens' | 'maxOutputTokens'>,
  context: number,
) {
  const most = Math.floor((context - Math.min(maxOutputTokens, context / 2)) / SPARE);
  return Math.min(inputTokens, most);
}

/**
 * A model of Ollama, over its own API (`POST /api/chat`): unlike its OpenAI API, that one takes the
 * size of the context. What does not fit into a context is cut at the beginning, and with it the
 * passages from which to answer.
 */
export function createOllamaModel(options: OllamaOptions): ChatModel {
  const base = baseOf(options.url ?? OLLAMA_URL);
  let shown: Promise<OllamaModel> | undefined;
  async function facts(): Promise<OllamaModel> {
    shown ??= showOllamaModel(options);
    try {
      return await shown;
    } catch {
      // Asked again with the next question: the chat itself reports what is wrong.
      shown = undefined;
      return { contextLength: undefined, callsTools: true };
    }
  }
  return createStreamedModel({
    ...options,
    name: `ollama:${options.model}`,
    url: new URL(`${base}/api/chat`),
    accept: 'application/x-ndjson',
    bodyFor: async (request) => bodyFor(request, options, await facts()),
    openCompletion: () => new OllamaStream(),
  });
}

const tools = modelTools.map(({ name, description, inputSchema }) => {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
});

function bodyFor(
  request: ChatRequest,
  options: OllamaOptions,
  { contextLength, callsTools }: OllamaModel,
): object {
  const context = contextFor(options, contextLength);
  // Without a choice of tools, they are declared only where they may be called.
  const withTools = callsTools && request.mayUseTools;
  return {
    model: options.model,
    messages: messages(request, fittingTokens(options, context)),
    stream: true,
    options: { num_ctx: context, num_predict: options.maxOutputTokens },
    ...(withTools && { tools }),
  };
}

function messages(request: ChatRequest, inputTokens: number): object[] {
  const { instructions, history, question, begun, steps } = modelPrompt(request, inputTokens);
  const images = (request.images ?? []).map(({ base64 }) => base64);
  const list: object[] = [{ role: 'system', content: instructions }];
  for (const { role, text } of history) list.push({ role, content: text });
  list.push({ role: 'user', content: question, ...(images.length > 0 && { images }) });
  if (begun !== undefined) {
    list.push({ role: 'assistant', content: begun });
    list.push({ role: 'user', content: 'Continue your answer where it ends; repeat nothing.' });
  }
  for (const { text, calls } of steps) {
    const called = calls.map(({ call }) => ({
      function: { name: call.name, arguments: call.input },
    }));
    list.push({ role: 'assistant', content: text, tool_calls: called });
    for (const { call, output } of calls)
      list.push({ role: 'tool', tool_name: call.name, content: output });
  }
  return list;
}

/**
 * Parses the lines of `/api/chat`: each is a JSON object with a piece of the answer, the last one
 * with the counts.
 */
export class OllamaStream implements Completion {
  #rest = '';
  #calls: ChatPart[] = [];
  #last: Record<string, unknown> | undefined;
  fault: ProviderFault | undefined;

  get isComplete(): boolean {
    return this.#last !== undefined;
  }

  push(pieces: readonly string[]): ChatPart[] {
    const lines = (this.#rest + pieces.join('')).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE_LENGTH)
      this.fault ??= new ProviderFault('refused', 'The model sent a line that is too long.');
    return lines.flatMap((line) => this.#readLine(Buffer.from(line, 'latin1').toString('utf8')));
  }

  end(): ChatPart[] {
    const { done_reason: reason } = this.#last ?? {};
    return [
      ...this.#calls,
      {
        type: 'finish',
        reason: reasonOf(typeof reason === 'string' ? reason : 'other'),
        usage: this.#usage,
      },
    ];
  }

  cut(): ChatPart {
    return { type: 'finish', reason: 'length', usage: this.#usage };
  }

  get #usage() {
    return {
      inputTokens: countOf(this.#last?.prompt_eval_count),
      outputTokens: countOf(this.#last?.eval_count),
    };
  }

  #readLine(line: string): ChatPart[] {
    const event = this.fault === undefined && line.trim() !== '' ? readEvent(line) : undefined;
    if (event === undefined) return [];
    if (event.error !== undefined) {
      // The message may contain names of machines and files.
      this.fault = new ProviderFault('busy', 'The model reported an error.');
      return [];
    }
    if (event.done === true) this.#last = event;
    const {
      content,
      thinking,
      tool_calls: calls,
    } = (event.message ?? {}) as Record<string, unknown>;
    if (Array.isArray(calls)) for (const call of calls) this.#addCall(call);
    return [...textPart('reasoning', thinking), ...textPart('text', content)];
  }

  #addCall(called: { function?: { name?: unknown; arguments?: unknown } } | null): void {
    const { name, arguments: input } = called?.function ?? {};
    if (typeof name !== 'string' || this.#calls.length >= MAX_CALLS) return;
    const call = readCall(name, JSON.stringify(input ?? {}));
    if (call) this.#calls.push({ type: 'tool-call', id: `call-${this.#calls.length}`, call });
  }
}

function textPart(type: 'text' | 'reasoning', value: unknown): ChatPart[] {
  return typeof value === 'string' && value !== '' ? [{ type, text: value }] : [];
}
