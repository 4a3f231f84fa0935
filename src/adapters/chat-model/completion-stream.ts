import type { TokenUsage } from '../../core/assistant/answer-event.ts';
import type { ChatPart } from '../../ports/chat-model.ts';
import { readCall, reasonOf } from './model-tools.ts';

/** An event is a few hundred bytes; one that does not end is no answer. */
const LONGEST_LINE = 1024 * 1024;
const MOST_CALLS = 32;

interface ToolDelta {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
}

interface Delta {
  content?: unknown;
  /** Two spellings of the same thing among the servers that speak this protocol. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: unknown;
}

/**
 * Reads the streamed form of chat completions: server-sent events, each with a piece of the answer. What came in one read
 * of the network is joined, so that a fast model costs no more than a slow one.
 */
export class CompletionStream {
  #rest = '';
  #reason: string | undefined;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  readonly #calls = new Map<number, { id: string; name: string; input: string }>();
  #isDone = false;

  /** Whether the model said all that it wanted to say. */
  get isComplete(): boolean {
    return this.#isDone || this.#reason !== undefined;
  }

  /** Takes the next text of the stream and gives what it says. @throws where it is not of this protocol, or reports a fault */
  push(text: string): ChatPart[] {
    const parts: ChatPart[] = [];
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() as string;
    if (this.#rest.length > LONGEST_LINE) throw new Error('The model sent a line without end.');
    for (const line of lines) if (line.startsWith('data:')) this.#readEvent(line.slice(5).trim(), parts);
    return parts;
  }

  /** What is known at the end: the calls that the model wants, and why it ended. */
  end(): ChatPart[] {
    const parts: ChatPart[] = [];
    for (const [index, { id, name, input }] of this.#calls) {
      const call = readCall(name, input);
      if (call) parts.push({ type: 'tool-call', id: id === '' ? `call-${index}` : id, call });
    }
    const reason = reasonOf((this.#reason ?? 'other').replaceAll('_', '-'));
    return [...parts, { type: 'finish', reason, usage: this.#usage }];
  }

  #readEvent(data: string, parts: ChatPart[]): void {
    if (data === '') return;
    if (data === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const event = JSON.parse(data) as Record<string, unknown> | null;
    // What went wrong there may name keys and machines of theirs.
    if (typeof event !== 'object' || event === null || event.error) throw new Error('The model reported an error.');
    this.#readUsage(event.usage);
    const choice = Array.isArray(event.choices) ? (event.choices[0] as Record<string, unknown> | undefined) : undefined;
    if (typeof choice?.finish_reason === 'string') this.#reason = choice.finish_reason;
    if (typeof choice?.delta === 'object' && choice.delta !== null) this.#readDelta(choice.delta, parts);
  }

  #readDelta(delta: Delta, parts: ChatPart[]): void {
    addText(parts, 'reasoning', delta.reasoning_content ?? delta.reasoning);
    addText(parts, 'text', delta.content);
    if (!Array.isArray(delta.tool_calls)) return;
    for (const piece of delta.tool_calls as ToolDelta[]) this.#readCallPiece(piece);
  }

  /** A call comes in pieces; some servers number none of them. */
  #readCallPiece(piece: ToolDelta): void {
    const index = typeof piece.index === 'number' ? piece.index : this.#calls.size;
    const call = this.#calls.get(index) ?? { id: '', name: '', input: '' };
    if (this.#calls.size >= MOST_CALLS || call.input.length > LONGEST_LINE) return;
    this.#calls.set(index, call);
    if (typeof piece.id === 'string' && call.id === '') call.id = piece.id;
    if (typeof piece.function?.name === 'string' && call.name === '') call.name = piece.function.name;
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

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
