import type { TokenUsage } from '@docent/assistant/chat/answer-event.ts';
import { modelPrompt } from '@docent/assistant/model/model-prompt.ts';
import { readCall } from '@docent/assistant/model/tool-calls.ts';
import type { LanguageModelChoice } from '@docent/format/model-choices.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { modelTools, reasonOf } from './model-tools.ts';
import { type Completion, countOf, createStreamedModel, readEvent } from './streamed-model.ts';

interface OpenAiCompatibleOptions extends Omit<LanguageModelChoice, 'provider' | 'region'> {
  /** A certificate authority to trust instead of the known ones. */
  ca?: string;
}

/** A language model behind an OpenAI-compatible endpoint, such as vLLM or llama.cpp. */
export function createOpenAiCompatibleModel(options: OpenAiCompatibleOptions): ChatModel {
  return createStreamedModel({
    ...options,
    name: `openai-compatible:${options.model}`,
    url: new URL(`${options.url ?? ''}/chat/completions`),
    accept: 'text/event-stream',
    bodyFor: (request) => bodyFor(request, options),
    openCompletion: () => new CompletionStream(),
  });
}

/** A question without attachments is a string: not every server supports parts. */
function withImages(question: string, images: ChatRequest['images'] = []): string | object[] {
  if (images.length === 0) return question;
  const parts = images.map(({ mediaType, base64 }) => {
    return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
  });
  return [{ type: 'text', text: question }, ...parts];
}

function bodyFor(
  request: ChatRequest,
  { model, inputTokens, maxOutputTokens }: OpenAiCompatibleOptions,
): object {
  // The tools stay declared in the last turn too: some servers refuse a history of calls without
  // them.
  const withTools = request.mayUseTools || request.steps.length > 0;
  return {
    model,
    messages: messages(request, inputTokens),
    max_tokens: maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(withTools && { tools, tool_choice: request.mayUseTools ? 'auto' : 'none' }),
  };
}

const tools = modelTools.map(({ name, description, inputSchema }) => {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
});

function messages(request: ChatRequest, inputTokens: number): object[] {
  const { instructions, history, question, begun, steps } = modelPrompt(request, inputTokens);
  const messages: object[] = [{ role: 'system', content: instructions }];
  for (const { role, text } of history) messages.push({ role, content: text });
  messages.push({ role: 'user', content: withImages(question, request.images) });
  if (begun !== undefined) {
    messages.push({ role: 'assistant', content: begun });
    messages.push({ role: 'user', content: 'Continue your answer where it ends; repeat nothing.' });
  }
  for (const { text, calls } of steps) {
    const called = calls.map(({ id, call }) => {
      return {
        id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.input) },
      };
    });
    messages.push({ role: 'assistant', content: text, tool_calls: called });
    for (const { id, output } of calls)
      messages.push({ role: 'tool', tool_call_id: id, content: output });
  }
  return messages;
}

/** Maximum size of an event; real ones have a few hundred bytes. */
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_CALLS = 32;

interface ToolDelta {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
}

interface Delta {
  content?: unknown;
  /** Two spellings of the same field among the servers that use this protocol. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: unknown;
}

/** Characters that must be escaped in a JSON string. */
const NOT_VERBATIM = /["\\\x00-\x1f]/;

/**
 * Parses streamed chat completions: server-sent events, each with a piece of the answer. Everything
 * from one network read is merged, so that a fast model costs no more than a slow one.
 *
 * Input is bytes as Latin-1, one character each; an event is decoded when it is complete, so no
 * character is split.
 */
export class CompletionStream implements Completion {
  #rest = '';
  /** Texts of similar events, not decoded yet. */
  #said = '';
  #reason: string | undefined;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  readonly #calls = new Map<number, { id: string; name: string; input: string }>();
  #isDone = false;
  /** The error that the model reported, or why the stream does not follow this protocol. */
  fault: ProviderFault | undefined;
  /** The last event with only text, without that text. */
  #frame: { before: string; after: string } | undefined;

  /** Whether the model finished its answer. */
  get isComplete(): boolean {
    return this.#isDone || this.#reason !== undefined;
  }

  /**
   * Processes the next bytes of the stream, in pieces as they arrived, and returns their content.
   * Invalid events are skipped. After an error nothing more is read.
   */
  push(pieces: readonly string[]): ChatPart[] {
    const parts: ChatPart[] = [];
    for (const piece of pieces)
      if (this.fault === undefined)
        this.#readLines(this.#rest === '' ? piece : this.#rest + piece, parts);
    this.#tellSaid(parts);
    return parts;
  }

  #readLines(input: string, parts: ChatPart[]): void {
    let at = 0;
    for (
      let end = input.indexOf('\n');
      end !== -1 && this.fault === undefined;
      end = input.indexOf('\n', at)
    ) {
      const text = this.#textOfAlike(input, at, end);
      if (text !== undefined) this.#said += text;
      else if (input.startsWith('data:', at)) {
        this.#tellSaid(parts);
        this.#readEvent(utf8(input.slice(at + 5, end)).trim(), input.slice(at, end), parts);
      }
      at = end + 1;
    }
    this.#rest = input.slice(at);
    if (this.#rest.length > MAX_LINE_LENGTH)
      this.fault ??= new ProviderFault('refused', 'The model sent a line that is too long.');
  }

  #tellSaid(parts: ChatPart[]): void {
    addText(parts, 'text', utf8(this.#said));
    this.#said = '';
  }

  /** Returns what is known at the end: the tool calls of the model, and the finish reason. */
  end(): ChatPart[] {
    const parts: ChatPart[] = [];
    for (const [index, { id, name, input }] of this.#calls) {
      const call = readCall(name, input);
      if (call) parts.push({ type: 'tool-call', id: id === '' ? `call-${index}` : id, call });
    }
    const reason = reasonOf((this.#reason ?? 'other').replaceAll('_', '-'));
    return [...parts, { type: 'finish', reason, usage: this.#usage }];
  }

  /**
   * The end of an answer that is cut because it is too long: unfinished calls of tools are dropped.
   */
  cut(): ChatPart {
    return { type: 'finish', reason: 'length', usage: this.#usage };
  }

  /**
   * The events of an answer differ only in their text. One that starts and ends like the last, with
   * a text without JSON escapes, is not parsed, since parsing is the largest cost of a small piece.
   */
  #textOfAlike(input: string, start: number, end: number): string | undefined {
    const frame = this.#frame;
    if (frame === undefined) return undefined;
    const from = start + frame.before.length;
    const to = end - frame.after.length;
    // Comparing slices is twice as fast as `startsWith`.
    if (
      to <= from ||
      input.slice(start, from) !== frame.before ||
      input.slice(to, end) !== frame.after
    )
      return undefined;
    const text = input.slice(from, to);
    return NOT_VERBATIM.test(text) ? undefined : text;
  }

  /** Remembers an event with only text, if the text appears in it once and unescaped. */
  #keepFrame(line: string, { content, reasoning, reasoning_content, tool_calls }: Delta): void {
    if (
      typeof content !== 'string' ||
      content === '' ||
      reasoning ||
      reasoning_content ||
      tool_calls
    )
      return;
    const quoted = `"${Buffer.from(content).toString('latin1')}"`;
    const at = line.indexOf(quoted);
    if (at === -1 || line.indexOf(quoted, at + 1) !== -1) return;
    this.#frame = { before: line.slice(0, at + 1), after: line.slice(at + quoted.length - 1) };
  }

  #readEvent(data: string, line: string, parts: ChatPart[]): void {
    if (data === '') return;
    if (data === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const event = readEvent(data);
    if (event === undefined) return;
    if (event.error) {
      // The error message may contain keys and machine names of the provider.
      this.fault = new ProviderFault('busy', 'The model reported an error.');
      return;
    }
    this.#readUsage(event.usage);
    const choice = Array.isArray(event.choices)
      ? (event.choices[0] as Record<string, unknown> | undefined)
      : undefined;
    if (typeof choice?.finish_reason === 'string') this.#reason = choice.finish_reason;
    if (typeof choice?.delta !== 'object' || choice.delta === null) return;
    this.#readDelta(choice.delta, parts);
    this.#keepFrame(line, choice.delta);
  }

  #readDelta(delta: Delta, parts: ChatPart[]): void {
    addText(parts, 'reasoning', delta.reasoning_content ?? delta.reasoning);
    addText(parts, 'text', delta.content);
    if (!Array.isArray(delta.tool_calls)) return;
    for (const piece of delta.tool_calls as ToolDelta[]) this.#readCallPiece(piece);
  }

  /** A call arrives in pieces; some servers number none of them. */
  #readCallPiece(piece: ToolDelta): void {
    const index = typeof piece.index === 'number' ? piece.index : this.#calls.size;
    const call = this.#calls.get(index) ?? { id: '', name: '', input: '' };
    if (this.#calls.size >= MAX_CALLS || call.input.length > MAX_LINE_LENGTH) return;
    this.#calls.set(index, call);
    if (typeof piece.id === 'string' && call.id === '') call.id = piece.id;
    if (typeof piece.function?.name === 'string' && call.name === '')
      call.name = piece.function.name;
    if (typeof piece.function?.arguments === 'string') call.input += piece.function.arguments;
  }

  #readUsage(usage: unknown): void {
    if (typeof usage !== 'object' || usage === null) return;
    const { prompt_tokens, completion_tokens } = usage as Record<string, unknown>;
    this.#usage = { inputTokens: countOf(prompt_tokens), outputTokens: countOf(completion_tokens) };
  }
}

function addText(parts: ChatPart[], type: 'text' | 'reasoning', value: unknown): void {
  if (typeof value !== 'string' || value === '') return;
  const last = parts.at(-1);
  if (last?.type === type) last.text += value;
  else parts.push({ type, text: value });
}

/**
 * Decodes, and always copies: a substring keeps the whole string alive, and for thousands of
 * answers the network buffers would fill the memory ten times over.
 */
function utf8(bytes: string): string {
  return bytes === '' ? '' : Buffer.from(bytes, 'latin1').toString('utf8');
}
