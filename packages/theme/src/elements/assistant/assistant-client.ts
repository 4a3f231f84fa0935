import type { QuotedAnswer } from '@docent/assistant/quoted-answer.ts';
import { type Challenge, solve } from './bot-check.ts';
import type { AskContext } from './conversations.ts';
import { type AnswerChunk, readAnswer } from './read-answer.ts';

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

/** Answers in this browser, for a server that is absent or fails. */
export type AnswerLocally = (body: AskBody) => Promise<QuotedAnswer>;

/** Where a panel sends questions: to the site itself without a key, elsewhere with one. */
interface AssistantAddresses {
  message: string;
  settings: string;
  feedback: string;
  /** Takes the address of a reader who waits for an answer; on the site itself only. */
  waiting?: string;
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
  /**
   * The server, or one before it, does not work or has no assistant; otherwise it does not want to
   * answer.
   */
  readonly isOutage: boolean;

  constructor(code: string, retryAfterSeconds: number, isOutage = false) {
    super(`The assistant returned status ${code}.`);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isOutage = isOutage;
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
  const isOurs = typeof problem.code === 'string';
  return new RefusedError(
    code,
    Number(response.headers.get('retry-after') ?? 0),
    !isOurs || response.status >= 500,
  );
}

/** An answer of this browser, in the form of a server's. */
async function* chunksOf({
  text,
  sources,
  quotes,
  nextQuestions,
}: QuotedAnswer): AsyncGenerator<AnswerChunk> {
  for (const { url, title } of sources) yield { type: 'source-url', url, title };
  yield { type: 'text-delta', delta: text };
  yield { type: 'finish', messageMetadata: { quotes, nextQuestions } };
}

/**
 * The HTTP client of the panel. Resolves URLs for each request, because they may differ after a
 * page swap.
 */
export class AssistantClient {
  readonly #addresses: () => AssistantAddresses | undefined;
  readonly #answerLocally: AnswerLocally | undefined;
  #needsProof = false;

  /**
   * @param addresses undefined if there is no server
   * @param answerLocally answers in its place, and when it does not answer
   */
  constructor(addresses: () => AssistantAddresses | undefined, answerLocally?: AnswerLocally) {
    this.#addresses = addresses;
    this.#answerLocally = answerLocally;
  }

  get #server(): AssistantAddresses {
    const server = this.#addresses();
    if (!server) throw new TypeError('There is no server.');
    return server;
  }

  /**
   * @throws RefusedError; any error of `fetch` if the server is unreachable, TypeError if there is
   *   none
   */
  async settings(): Promise<PanelSettings> {
    const { settings, headers } = this.#server;
    const response = await fetch(settings, { headers: { accept: 'application/json', ...headers } });
    if (!response.ok) throw await refusal(response);
    const read = (await response.json()) as PanelSettings;
    this.#needsProof = read.botCheck !== null;
    return read;
  }

  async rate(rating: {
    threadId: string;
    messageId: string | undefined;
    helpful: boolean | null;
    comment: string | undefined;
  }): Promise<void> {
    const response = await this.#post('feedback', rating);
    if (!response.ok) throw await refusal(response);
  }

  /** Whether readers can leave an address. */
  get takesAddresses(): boolean {
    return this.#addresses()?.waiting !== undefined;
  }

  /** Leaves the address of a reader who waits for an answer; null deletes it. @throws RefusedError */
  async wait(waiting: {
    threadId: string;
    messageId: string;
    email: string | null;
  }): Promise<void> {
    const response = await this.#post('waiting', waiting);
    if (!response.ok) throw await refusal(response);
  }

  /**
   * @throws RefusedError; any error of `fetch` if the server is unreachable and this browser cannot
   *   answer either
   */
  async ask(body: AskBody, signal: AbortSignal): Promise<OpenedStream> {
    try {
      return await this.#askServer(body, signal);
    } catch (error) {
      const isRefused = error instanceof RefusedError && !error.isOutage;
      if (!this.#answerLocally || isRefused || signal.aborted) throw error;
      const answer = await this.#answerLocally(body);
      return { threadId: undefined, threadKey: undefined, chunks: chunksOf(answer) };
    }
  }

  async #askServer(body: AskBody, signal: AbortSignal): Promise<OpenedStream> {
    const send = (more: object): Promise<Response> =>
      this.#post('message', { ...body, ...more }, signal);
    const more: { proof?: string | undefined; threadId?: undefined; threadKey?: undefined } = {};
    if (this.#needsProof) more.proof = await this.#proof(signal);
    let response = await send(more);
    for (let tries = 1; !response.ok; tries++) {
      const refused = await refusal(response);
      // The site now requires a proof of work, or the thread is gone: both are handled without the
      // reader.
      const isRightable =
        refused.code === 'bot_check_failed' || refused.code === 'thread_not_found';
      if (!isRightable || tries > 2) throw refused;
      if (refused.code === 'thread_not_found')
        Object.assign(more, { threadId: undefined, threadKey: undefined });
      more.proof = await this.#proof(signal);
      response = await send(more);
    }
    if (!response.body) throw new TypeError('The answer has no body.');
    return {
      threadId: response.headers.get('x-thread-id') ?? undefined,
      threadKey: response.headers.get('x-thread-key') ?? undefined,
      chunks: readAnswer(response.body),
    };
  }

  async #proof(signal: AbortSignal): Promise<string | undefined> {
    const { botCheck } = await this.settings();
    return botCheck ? solve(botCheck, signal) : undefined;
  }

  #post(
    to: 'message' | 'feedback' | 'waiting',
    body: object,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { [to]: address = '', headers } = this.#server;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    return fetch(address, { ...init, ...(signal && { signal }) });
  }
}
