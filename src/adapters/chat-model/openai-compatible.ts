import { modelPrompt } from '../../core/assistant/model-prompt.ts';
import { errorMessage } from '../../core/error-message.ts';
import type { LanguageModelChoice } from '../../core/model-choices.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';
import { createStreamedPost } from '../model-client/streamed-post.ts';
import { CompletionStream } from './completion-stream.ts';
import { modelTools } from './model-tools.ts';

/** Interval between network reads of an answer: as often as readers see a change, and less often with very many answers. */
const READ_EVERY_MS = { least: 25, most: 80, forEachAnswer: 1 / 8 };

export type OpenAiCompatibleOptions = Pick<
  LanguageModelChoice,
  'model' | 'url' | 'apiKey' | 'inputTokens' | 'maxOutputTokens' | 'silenceSeconds'
> & {
  takesImages?: boolean;
  /** A certificate authority to trust instead of the known ones. */
  ca?: string;
};

/**
 * A language model behind an OpenAI-compatible endpoint, such as vLLM, Ollama or llama.cpp. Implements the protocol itself, over
 * its own connections, because thousands of answers may be streamed at once.
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

  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatPart> {
    if (signal.aborted) return;
    const answer = post(JSON.stringify(bodyFor(request, options)));
    const hangUp = () => answer.hangUp();
    signal.addEventListener('abort', hangUp, { once: true });
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      hangUp();
    }, options.silenceSeconds * 1000);
    openAnswers++;
    try {
      const status = await answer.status();
      if (status !== 200) throw faultOfStatus('The model', status, answer.retryAfter);
      const completion = new CompletionStream();
      for await (const pieces of answer.read()) {
        const parts = completion.push(pieces);
        // Comments that only keep the connection open are silence.
        if (parts.length > 0) silence.refresh();
        for (const part of parts) {
          yield part;
          if (signal.aborted) return;
        }
        // Text from before the error is emitted first.
        if (completion.fault !== undefined) throw completion.fault;
      }
      if (!completion.isComplete) throw new ProviderFault('busy', 'The model stopped before the end of its response.');
      yield* completion.end();
    } catch (error) {
      if (isSilent) throw new ProviderFault('silent', 'The model did not respond in time.');
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
    stream,
  };
}

/** Network errors on the way to the model may not occur next time. */
function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const reason = errorMessage(error);
  return new ProviderFault('busy', `The model could not be used: ${reason}`);
}

/** A question without attachments is a string: not every server supports parts. */
function withImages(question: string, images: ChatRequest['images'] = []): string | object[] {
  if (images.length === 0) return question;
  const parts = images.map(({ mediaType, base64 }) => {
    return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
  });
  return [{ type: 'text', text: question }, ...parts];
}

function bodyFor(request: ChatRequest, { model, inputTokens, maxOutputTokens }: OpenAiCompatibleOptions): object {
  // The tools stay declared in the last turn too: some servers refuse a history of calls without them.
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
