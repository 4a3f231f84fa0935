import type { LanguageModelChoice } from '../../core/assistant/language-model.ts';
import { modelPrompt } from '../../core/assistant/model-prompt.ts';
import { errorMessage } from '../../core/error-message.ts';
import type { ChatModel, ChatPart, ChatRequest, PartListener } from '../../ports/chat-model.ts';
import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';
import type { StreamedAnswer } from '../model-client/streamed-answer.ts';
import { createStreamedPost } from '../model-client/streamed-post.ts';
import { CompletionStream } from './completion-stream.ts';
import { modelTools } from './model-tools.ts';

/** How long the model may be silent: a local one reads its prompt slowly. */
const SILENCE_MS = 120_000;
/** How often an answer is read from the network: as often as a reader sees a change, and less often where very many are written. */
const READ_EVERY_MS = { least: 25, most: 80, forEachAnswer: 1 / 8 };

export type OpenAiCompatibleOptions = Pick<
  LanguageModelChoice,
  'model' | 'url' | 'apiKey' | 'inputTokens' | 'maxOutputTokens'
> & {
  takesImages?: boolean;
  silenceMs?: number;
  /** A certificate authority to trust in place of the known ones. */
  ca?: string;
};

/**
 * A language model behind an OpenAI-compatible endpoint: vLLM, Ollama, llama.cpp and many more. It speaks the protocol
 * itself, over connections of its own, because here thousands of answers may be written at once.
 */
export function createOpenAiCompatibleModel(options: OpenAiCompatibleOptions): ChatModel {
  let openAnswers = 0;
  const post = createStreamedPost({
    url: new URL(`${options.url ?? ''}/chat/completions`),
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(options.apiKey !== undefined && { authorization: `Bearer ${options.apiKey}` }),
    },
    readEveryMs: () =>
      Math.round(Math.min(READ_EVERY_MS.most, Math.max(READ_EVERY_MS.least, openAnswers * READ_EVERY_MS.forEachAnswer))),
    ca: options.ca,
  });

  async function read(answer: StreamedAnswer, onPart: PartListener, signal: AbortSignal): Promise<void> {
    const hangUp = () => answer.hangUp();
    signal.addEventListener('abort', hangUp, { once: true });
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      hangUp();
    }, options.silenceMs ?? SILENCE_MS);
    openAnswers++;
    try {
      const status = await answer.status();
      if (status !== 200) throw faultOfStatus('The model', status, answer.retryAfter);
      const stream = new CompletionStream();
      await answer.read((pieces) => {
        silence.refresh();
        const handled = emitAll(stream.push(pieces), onPart, signal);
        if (stream.fault === undefined) return handled;
        // What came before the fault is emitted first.
        return (handled ?? Promise.resolve()).then(() => Promise.reject(stream.fault));
      });
      if (!signal.aborted && !stream.isComplete) throw new ProviderFault('busy', 'The model broke off.');
      await emitAll(stream.end(), onPart, signal);
    } catch (error) {
      if (isSilent) throw new ProviderFault('busy', 'The model was silent for too long.');
      if (!signal.aborted) throw faultOf(error);
    } finally {
      openAnswers--;
      clearTimeout(silence);
      signal.removeEventListener('abort', hangUp);
      hangUp();
    }
  }

  return {
    name: `openai-compatible:${options.model}`,
    takesImages: options.takesImages ?? false,
    stream: async (request, onPart, signal) => {
      if (!signal.aborted) await read(post(JSON.stringify(bodyFor(request, options))), onPart, signal);
    },
  };
}

/** What breaks on the way to the model may work the next time. */
function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const reason = errorMessage(error);
  return new ProviderFault('busy', `The model could not be used: ${reason}`);
}

/** One part after the other, and without a promise where nobody asks to wait. */
function emitAll(parts: readonly ChatPart[], onPart: PartListener, signal: AbortSignal, from = 0): Promise<void> | undefined {
  for (let at = from; at < parts.length; at++) {
    if (signal.aborted) return undefined;
    const handled = onPart(parts[at] as ChatPart);
    if (handled) return handled.then(() => emitAll(parts, onPart, signal, at + 1));
  }
  return undefined;
}

/** A question alone is a string: not every server reads parts. */
function withImages(question: string, images: ChatRequest['images'] = []): string | object[] {
  if (images.length === 0) return question;
  const parts = images.map(({ mediaType, base64 }) => {
    return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
  });
  return [{ type: 'text', text: question }, ...parts];
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
      return { id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } };
    });
    messages.push({ role: 'assistant', content: text, tool_calls: called });
    for (const { id, output } of calls) messages.push({ role: 'tool', tool_call_id: id, content: output });
  }
  return messages;
}
