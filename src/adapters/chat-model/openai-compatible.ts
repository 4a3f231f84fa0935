import http from 'node:http';
import https from 'node:https';
import type { LanguageModelChoice } from '../../core/assistant/language-model.ts';
import { modelPrompt } from '../../core/assistant/model-prompt.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { CompletionStream } from './completion-stream.ts';
import { modelTools } from './model-tools.ts';
import { readPieces } from './read-pieces.ts';

/** How long the model may be silent: a local one reads its prompt slowly. */
const SILENCE_MS = 120_000;
/** How often an answer is read from the network: as often as a reader sees a change, and less often where very many are written. */
const READ_EVERY_MS = { least: 25, most: 70, forEachAnswer: 1 / 30 };

export type OpenAiCompatibleOptions = Pick<
  LanguageModelChoice,
  'model' | 'url' | 'apiKey' | 'inputTokens' | 'maxOutputTokens'
> & {
  silenceMs?: number;
};

/**
 * A language model behind an OpenAI-compatible endpoint: vLLM, Ollama, llama.cpp and many more. It speaks the protocol
 * itself, over bare sockets, because here thousands of answers may be written at once.
 */
export function createOpenAiCompatibleModel(options: OpenAiCompatibleOptions): ChatModel {
  const address = new URL(`${options.url ?? ''}/chat/completions`);
  const { Agent, request: open } = address.protocol === 'https:' ? https : http;
  // With room for one byte a connection is read when its reader asks, and not with every packet that comes.
  const agent = new Agent({
    keepAlive: true,
    maxSockets: Number.POSITIVE_INFINITY,
    readableHighWaterMark: 1,
  } as http.AgentOptions);
  let openAnswers = 0;
  const readEveryMs = () =>
    Math.min(READ_EVERY_MS.most, Math.max(READ_EVERY_MS.least, openAnswers * READ_EVERY_MS.forEachAnswer));
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(options.apiKey !== undefined && { authorization: `Bearer ${options.apiKey}` }),
  };

  function call(text: string): Call {
    // Long, and of no use once the answer has begun; thousands of them would fill the memory.
    let body = text;
    const { promise: response, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    let request: http.ClientRequest;
    // Answered, or of no interest to anybody any more.
    let isSettled = false;
    const send = () => {
      request = open(address, { method: 'POST', agent, headers }, resolve);
      request.setNoDelay(true);
      // A kept connection may have been closed by the other side at this very moment; then it did not hear us.
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET' && !isSettled) send();
        else reject(error);
      });
      request.end(body);
    };
    send();
    const settle = () => {
      isSettled = true;
      body = '';
    };
    response.then(settle, settle);
    const hangUp = () => {
      isSettled = true;
      request.destroy(new Error('Nobody waits for the answer.'));
    };
    return { response, hangUp };
  }

  async function* read(call: Call | undefined, signal: AbortSignal): AsyncGenerator<ChatPart> {
    if (call === undefined) return;
    const { response: answer, hangUp } = call;
    signal.addEventListener('abort', hangUp, { once: true });
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      hangUp();
    }, options.silenceMs ?? SILENCE_MS);
    let hasEnded = false;
    openAnswers++;
    try {
      const response = await answer;
      if (response.statusCode !== 200) throw new Error(`The model answered with status ${response.statusCode}.`);
      const stream = new CompletionStream();
      for await (const text of readPieces(response, readEveryMs)) {
        silence.refresh();
        for (const part of stream.push(text)) {
          if (signal.aborted) return;
          yield part;
        }
      }
      if (signal.aborted) return;
      hasEnded = true;
      if (!stream.isComplete) throw new Error('The model broke off.');
      yield* stream.end();
    } catch (error) {
      if (isSilent) throw new Error('The model was silent for too long.', { cause: error });
      if (!signal.aborted) throw error;
    } finally {
      openAnswers--;
      clearTimeout(silence);
      signal.removeEventListener('abort', hangUp);
      if (!hasEnded) hangUp();
    }
  }

  return {
    name: `openai-compatible:${options.model}`,
    stream: (request, signal) => read(signal.aborted ? undefined : call(JSON.stringify(bodyFor(request, options))), signal),
  };
}

/** A request that is under way. */
interface Call {
  /** Resolves once the head of the answer is there. */
  response: Promise<http.IncomingMessage>;
  hangUp: () => void;
}

function bodyFor(request: ChatRequest, { model, inputTokens, maxOutputTokens }: OpenAiCompatibleOptions): object {
  // The tools stay declared in the last turn too: a history of calls without them is refused by some servers.
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
  const { instructions, history, question, begun } = modelPrompt(request, inputTokens);
  const told: object[] = [{ role: 'system', content: instructions }];
  for (const { role, text } of history) told.push({ role, content: text });
  told.push({ role: 'user', content: question });
  if (begun !== undefined) {
    told.push({ role: 'assistant', content: begun });
    told.push({ role: 'user', content: 'Continue your answer where it ends; repeat nothing.' });
  }
  for (const { text, calls } of request.steps) {
    const called = calls.map(({ id, call }) => {
      return { id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } };
    });
    told.push({ role: 'assistant', content: text, tool_calls: called });
    for (const { id, output } of calls) told.push({ role: 'tool', tool_call_id: id, content: output });
  }
  return told;
}
