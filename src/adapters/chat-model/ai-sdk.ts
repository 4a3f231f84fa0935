import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { FinishReason, ToolCall } from '../../core/assistant/answer-event.ts';
import { modelPrompt } from '../../core/assistant/model-prompt.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';

export interface AiSdkModelOptions {
  /** Shown in metrics and stored with answers: `openai:gpt-…`. */
  name: string;
  /** Made when it is first needed, so that only the provider in use is loaded. */
  load: () => Promise<LanguageModelV4>;
  /** Tokens that a question with its passages may have, an estimate. */
  inputTokens: number;
  maxOutputTokens: number;
  /** How long the model may be silent. Default two minutes: a local model reads its prompt slowly. */
  silenceSeconds?: number;
}

const tools: LanguageModelV4FunctionTool[] = [
  {
    type: 'function',
    name: 'search',
    description: 'Searches this documentation. Use it when the passages at hand do not answer the question.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words of what you look for.' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  {
    type: 'function',
    name: 'read_page',
    description: 'Reads a whole page of this documentation.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Path of the page, as in the passages.' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];

/** A language model behind a provider package of the AI SDK, called at the level of the provider specification (version 4). */
export function createAiSdkModel(options: AiSdkModelOptions): ChatModel {
  let loading: Promise<LanguageModelV4> | undefined;
  return {
    name: options.name,
    async *stream(request, signal) {
      if (signal.aborted) return;
      loading ??= options.load();
      const model = await loading;
      const silence = new AbortController();
      const call = callOptions(request, options, AbortSignal.any([signal, silence.signal]));
      const silenceMs = (options.silenceSeconds ?? 120) * 1000;
      const timer = setTimeout(() => silence.abort(new Error('The model was silent for too long.')), silenceMs);
      try {
        const { stream } = await model.doStream(call);
        for await (const part of stream) {
          if (signal.aborted) return;
          timer.refresh();
          const read = readPart(part);
          if (read !== undefined) yield read;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function callOptions(
  request: ChatRequest,
  { inputTokens, maxOutputTokens }: AiSdkModelOptions,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  // The tools stay declared in the last turn too: a history of calls without them is refused by some providers.
  const withTools = request.mayUseTools || request.steps.length > 0;
  return {
    prompt: messages(request, inputTokens),
    maxOutputTokens,
    abortSignal,
    ...(withTools && { tools, toolChoice: { type: request.mayUseTools ? 'auto' : 'none' } }),
  };
}

function messages(request: ChatRequest, inputTokens: number): LanguageModelV4Message[] {
  const { instructions, history, question, begun } = modelPrompt(request, inputTokens);
  const told: LanguageModelV4Message[] = [{ role: 'system', content: instructions }];
  for (const { role, text } of history) told.push({ role, content: [{ type: 'text', text }] });
  told.push({ role: 'user', content: [{ type: 'text', text: question }] });
  if (begun !== undefined) {
    told.push({ role: 'assistant', content: [{ type: 'text', text: begun }] });
    told.push({ role: 'user', content: [{ type: 'text', text: 'Continue your answer where it ends; repeat nothing.' }] });
  }
  for (const { text, calls } of request.steps) {
    const called = calls.map(({ id, call }) => {
      return { type: 'tool-call' as const, toolCallId: id, toolName: call.name, input: call.input };
    });
    told.push({ role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...called] });
    const results = calls.map(({ id, call, output }) => {
      return {
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: call.name,
        output: { type: 'text' as const, value: output },
      };
    });
    told.push({ role: 'tool', content: results });
  }
  return told;
}

/** A part of the model's stream as ours; nothing for what readers do not see. */
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

function reasonOf(reason: string): FinishReason {
  const known: FinishReason[] = ['stop', 'length', 'content-filter', 'tool-calls', 'error'];
  return known.find((one) => one === reason) ?? 'other';
}

/** What a model asks for is its own text: a name that we do not have, or an input of another form, is passed over. */
function readCall(name: string, inputText: string): ToolCall | undefined {
  let input: unknown;
  try {
    input = JSON.parse(inputText === '' ? '{}' : inputText);
  } catch {
    return undefined;
  }
  if (typeof input !== 'object' || input === null) return undefined;
  const { query, path } = input as Record<string, unknown>;
  if (name === 'search' && typeof query === 'string' && query.trim() !== '') return { name, input: { query } };
  if (name === 'read_page' && typeof path === 'string' && path.trim() !== '') return { name, input: { path } };
  return undefined;
}
