import type { NextQuestions } from '../../../core/assistant/answer-event.ts';
import { type Challenge, solve } from './bot-check.ts';
import type { AskContext } from './conversations.ts';

/** What a panel must know before the first question. */
export interface PanelSettings {
  name: string;
  /** The site's URL in answers. */
  siteUrl: string;
  enabled: boolean;
  starterQuestions: string[];
  supportEmail: string | null;
  supportUrl: string | null;
  botCheck: Challenge | null;
}

/** Where a panel sends questions: to the site itself without a key, elsewhere with one. */
interface AssistantAddresses {
  message: string;
  settings: string;
  /** Absent if feedback on answers is disabled. */
  feedback?: string;
  headers?: Record<string, string>;
}

export interface AskBody {
  fp: string;
  messages: { id: string; role: 'user' | 'assistant'; parts: { type: 'text'; text: string }[] }[];
  threadId: string | undefined;
  threadKey: string | undefined;
  currentPath: string | undefined;
  filter: { version?: string; language?: string } | undefined;
  context: AskContext[];
}

/** An error response, as shown to readers. */
export class RefusedError extends Error {
  readonly code: string;
  readonly retryAfterSeconds: number;

  constructor(code: string, retryAfterSeconds: number) {
    super(`The assistant returned status ${code}.`);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A started answer. */
interface OpenedStream {
  threadId: string | undefined;
  threadKey: string | undefined;
  chunks: AsyncIterable<AnswerChunk>;
}

async function refusal(response: Response): Promise<RefusedError> {
  const problem = (await response.json().catch(() => ({}))) as { code?: unknown };
  const code = typeof problem.code === 'string' ? problem.code : String(response.status);
  return new RefusedError(code, Number(response.headers.get('retry-after') ?? 0));
}

/** The HTTP client of the panel. Resolves URLs for each request, because they may differ after a page swap. */
export class AssistantClient {
  readonly #addresses: () => AssistantAddresses;
  #needsProof = false;

  constructor(addresses: () => AssistantAddresses) {
    this.#addresses = addresses;
  }

  async settings(): Promise<PanelSettings> {
    const { settings, headers } = this.#addresses();
    const response = await fetch(settings, { headers: { accept: 'application/json', ...headers } });
    if (!response.ok) throw await refusal(response);
    const read = (await response.json()) as PanelSettings;
    this.#needsProof = read.botCheck !== null;
    return read;
  }

  get takesFeedback(): boolean {
    return this.#addresses().feedback !== undefined;
  }

  async rate(rating: {
    threadId: string;
    messageId: string | undefined;
    helpful: boolean | null;
    comment: string | undefined;
  }): Promise<void> {
    const { feedback, headers } = this.#addresses();
    if (feedback === undefined) return;
    const response = await fetch(feedback, { method: 'POST', headers: this.#jsonHeaders(headers), body: JSON.stringify(rating) });
    if (!response.ok) throw await refusal(response);
  }

  /** @throws RefusedError; any error of `fetch` if the server is unreachable */
  async ask(body: AskBody, signal: AbortSignal): Promise<OpenedStream> {
    const { message, headers } = this.#addresses();
    const send = async (more: object): Promise<Response> =>
      fetch(message, { method: 'POST', headers: this.#jsonHeaders(headers), body: JSON.stringify({ ...body, ...more }), signal });
    const more: { proof?: string | undefined; threadId?: undefined; threadKey?: undefined } = {};
    if (this.#needsProof) more.proof = await this.#proof(signal);
    let response = await send(more);
    for (let tries = 1; !response.ok; tries++) {
      const refused = await refusal(response);
      // The site now requires a proof of work, or the thread is gone: both are handled without the reader.
      const isRightable = refused.code === 'bot_check_failed' || refused.code === 'thread_not_found';
      if (!isRightable || tries > 2) throw refused;
      if (refused.code === 'thread_not_found') Object.assign(more, { threadId: undefined, threadKey: undefined });
      more.proof = await this.#proof(signal);
      response = await send(more);
    }
    if (!response.body) throw new TypeError('The answer has no body.');
    return {
      threadId: response.headers.get('x-thread-id') ?? undefined,
      threadKey: response.headers.get('x-thread-key') ?? undefined,
      chunks: readAnswer(piecesOf(response.body)),
    };
  }

  async #proof(signal: AbortSignal): Promise<string | undefined> {
    const { botCheck } = await this.settings();
    return botCheck ? solve(botCheck, signal) : undefined;
  }

  #jsonHeaders(headers: Record<string, string> | undefined): Record<string, string> {
    return { 'content-type': 'application/json', ...headers };
  }
}

/** The parts of an answer's stream that a panel uses (the UI message stream protocol). */
export type AnswerChunk =
  | { type: 'start'; messageId: string; threadId: string | undefined }
  /** The current search or page, as written by the model. */
  | { type: 'step'; about: string }
  | { type: 'source'; url: string; title: string }
  | { type: 'text'; text: string }
  | { type: 'error'; message: string }
  | { type: 'finish'; next: NextQuestions | undefined };

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The arguments of a tool call that are shown: a query, a path. */
function aboutOf(input: unknown): string {
  const { query, path, text: wanted } = (input ?? {}) as Record<string, unknown>;
  return text(query) || text(wanted) || text(path);
}

/** Parses one event; undefined for kinds that a panel does not show. */
function readChunk(data: string): AnswerChunk | undefined {
  const chunk = JSON.parse(data) as Record<string, unknown>;
  switch (chunk.type) {
    case 'start': {
      const metadata = chunk.messageMetadata as { threadId?: unknown } | undefined;
      return { type: 'start', messageId: text(chunk.messageId), threadId: text(metadata?.threadId) || undefined };
    }
    case 'tool-input-available':
      return { type: 'step', about: aboutOf(chunk.input) };
    case 'source-url':
      return { type: 'source', url: text(chunk.url), title: text(chunk.title) };
    case 'text-delta':
      return { type: 'text', text: text(chunk.delta) };
    case 'error':
      return { type: 'error', message: text(chunk.errorText) };
    case 'finish':
      return { type: 'finish', next: (chunk.messageMetadata as { nextQuestions?: NextQuestions } | undefined)?.nextQuestions };
    default:
      return undefined;
  }
}

/** Parses a stream of server-sent events, however the network splits it. */
export async function* readAnswer(body: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerChunk> {
  const decoder = new TextDecoder();
  let waiting = '';
  // Data after the end is ignored, but read: a canceled connection looks like an error.
  let isDone = false;
  for await (const bytes of body) {
    waiting += decoder.decode(bytes, { stream: true });
    const lines = waiting.split('\n');
    waiting = lines.pop() as string;
    for (const line of lines) {
      if (isDone || !line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      isDone = data === '[DONE]';
      const chunk = isDone ? undefined : readChunk(data);
      if (chunk) yield chunk;
    }
  }
}

/** Iterates over the chunks of a body; not every browser supports iterating a stream. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
