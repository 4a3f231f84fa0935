import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { modelPrompt } from '@docent/assistant/model/model-prompt.ts';
import { readCall } from '@docent/assistant/model/tool-calls.ts';
import type { LanguageModelChoice } from '@docent/format/model-choices.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { EndlessAnswer, maxBytesOfAnswer } from '../model-client/bounded-answer.ts';
import { aiSdkFault, packagedProvider } from '../model-client/provider-packages.ts';
import { modelTools, reasonOf } from './model-tools.ts';
import { createOllamaModel } from './ollama.ts';
import { createOpenAiCompatibleModel } from './openai-compatible.ts';

/** Returns the configured language model. Nothing is loaded or called before the first question. */
export function createLanguageModel(config: LanguageModelChoice): ChatModel {
  const { provider } = config;
  if (provider === 'openai-compatible') return createOpenAiCompatibleModel(config);
  if (provider === 'ollama') return createOllamaModel(config);
  const open = packagedProvider(provider, config, {
    maxBytes: maxBytesOfAnswer(config.maxOutputTokens),
    what: 'The model',
  });
  const load = async () => (await open()).languageModel(config.model);
  return createAiSdkModel({ ...config, name: `${provider}:${config.model}`, load });
}

interface AiSdkModelOptions
  extends Pick<
    LanguageModelChoice,
    'inputTokens' | 'maxOutputTokens' | 'takesImages' | 'thinks' | 'silenceSeconds'
  > {
  /** Shown in metrics and stored with answers: `openai:gpt-…`. */
  name: string;
  load: () => Promise<LanguageModelV4>;
}

const tools: LanguageModelV4FunctionTool[] = modelTools.map((tool) => ({
  type: 'function',
  ...tool,
}));

/**
 * A language model behind a provider package of the AI SDK, called at the level of the provider
 * specification (version 4).
 */
export function createAiSdkModel(options: AiSdkModelOptions): ChatModel {
  return {
    name: options.name,
    inputTokens: options.inputTokens,
    takesImages: options.takesImages,
    thinks: options.thinks,
    async *stream(request, signal) {
      if (signal.aborted) return;
      const model = await options.load();
      const silence = new AbortController();
      const call = callOptions(request, options, AbortSignal.any([signal, silence.signal]));
      const silenceMs = options.silenceSeconds * 1000;
      const timer = setTimeout(() => silence.abort(), silenceMs);
      try {
        const { stream } = await model.doStream(call);
        for await (const part of stream) {
          if (signal.aborted) return;
          timer.refresh();
          const read = readPart(part);
          if (read !== undefined) yield read;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (silence.signal.aborted)
          throw new ProviderFault('silent', 'The model did not respond in time.');
        const fault = aiSdkFault('The model', error, signal);
        if (fault instanceof EndlessAnswer) return yield endOfCut;
        throw fault;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * The end of an answer that is cut because it is too long: what was said remains, and unfinished
 * calls of tools are dropped.
 */
const endOfCut: ChatPart = {
  type: 'finish',
  reason: 'length',
  usage: { inputTokens: 0, outputTokens: 0 },
};

function callOptions(
  request: ChatRequest,
  { inputTokens, maxOutputTokens }: AiSdkModelOptions,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  // The tools stay declared in the last turn too: some providers refuse a history of calls without
  // them.
  const withTools = request.mayUseTools || request.steps.length > 0;
  return {
    prompt: messages(request, inputTokens),
    maxOutputTokens,
    abortSignal,
    ...(request.traceparent !== undefined && { headers: { traceparent: request.traceparent } }),
    ...(withTools && { tools, toolChoice: { type: request.mayUseTools ? 'auto' : 'none' } }),
  };
}

function messages(request: ChatRequest, inputTokens: number): LanguageModelV4Message[] {
  const { instructions, history, question, begun, steps } = modelPrompt(request, inputTokens);
  const messages: LanguageModelV4Message[] = [{ role: 'system', content: instructions }];
  const images = (request.images ?? []).map(({ mediaType, base64 }) => {
    return { type: 'file' as const, mediaType, data: { type: 'data' as const, data: base64 } };
  });
  for (const { role, text } of history) messages.push({ role, content: [{ type: 'text', text }] });
  messages.push({ role: 'user', content: [{ type: 'text', text: question }, ...images] });
  if (begun !== undefined) {
    messages.push({ role: 'assistant', content: [{ type: 'text', text: begun }] });
    messages.push({
      role: 'user',
      content: [{ type: 'text', text: 'Continue your answer where it ends; repeat nothing.' }],
    });
  }
  for (const { text, calls } of steps) {
    const called = calls.map(({ id, call }) => {
      return { type: 'tool-call' as const, toolCallId: id, toolName: call.name, input: call.input };
    });
    messages.push({
      role: 'assistant',
      content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...called],
    });
    const results = calls.map(({ id, call, output }) => {
      return {
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: call.name,
        output: { type: 'text' as const, value: output },
      };
    });
    messages.push({ role: 'tool', content: results });
  }
  return messages;
}

/** Converts a part of the model's stream to ours; nothing for parts that readers do not see. */
function readPart(part: LanguageModelV4StreamPart): ChatPart | undefined {
  switch (part.type) {
    case 'text-delta':
      return part.delta === '' ? undefined : { type: 'text', text: part.delta };
    case 'reasoning-delta':
      return part.delta === '' ? undefined : { type: 'reasoning', text: part.delta };
    case 'tool-call': {
      const call = readCall(part.toolName, part.input);
      return call && { type: 'tool-call', id: part.toolCallId, call };
    }
    case 'finish': {
      const { inputTokens, outputTokens } = part.usage;
      const usage = { inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 };
      return { type: 'finish', reason: reasonOf(part.finishReason.unified), usage };
    }
    case 'error':
      throw part.error instanceof Error ? part.error : new Error('The model reported an error.');
    default:
      return undefined;
  }
}
