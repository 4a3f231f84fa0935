import type { AnswerEvent, RetrievedPage, TokenUsage, ToolCall, ToolResult } from '../core/assistant/answer-event.ts';
import type { ChatRequest, ToolStep } from '../core/assistant/chat-request.ts';
import type { ChatModel, ChatPart } from '../ports/chat-model.ts';
import type { Draft } from './answer-draft.ts';

/** After so many turns the model has to answer from what it has. */
const MOST_STEPS = 5;
const MOST_CALLS_PER_STEP = 4;
const LONGEST_OUTPUT = 12_000;

export interface WriteAnswerOptions {
  model: ChatModel;
  /** As it is before the model did anything. */
  request: Omit<ChatRequest, 'steps' | 'mayUseTools'>;
  /** Takes note of what is said, and tells of it. */
  draft: Pick<Draft, 'text' | 'add' | 'newSources'>;
  /** Does what the model asks for. */
  runTool: (call: ToolCall) => Promise<ToolResult>;
  signal: AbortSignal;
}

type Finish = Extract<ChatPart, { type: 'finish' }>;

/** What the model says and does, and at last why it ended. Never more than five turns of the model. */
export async function* writeAnswer(options: WriteAnswerOptions): AsyncGenerator<AnswerEvent, Omit<Finish, 'type'>> {
  const { model, request, draft, signal } = options;
  const steps: ToolStep[] = [];
  const usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  while (true) {
    const mayUseTools = steps.length < MOST_STEPS - 1;
    const before = draft.text.length;
    const step: ToolStep = { text: '', calls: [] };
    const wanted: { id: string; call: ToolCall }[] = [];
    let reason: Finish['reason'] = 'other';
    let answered: boolean | undefined;
    for await (const part of model.stream({ ...request, steps: [...steps], mayUseTools }, signal)) {
      if (part.type === 'finish') {
        reason = part.reason;
        answered = part.answered;
        usage.inputTokens += part.usage.inputTokens;
        usage.outputTokens += part.usage.outputTokens;
      } else if (part.type === 'tool-call') wanted.push(part);
      else {
        yield part;
        if (part.type === 'text') draft.add(part.text);
      }
    }
    if (signal.aborted || wanted.length === 0 || !mayUseTools) {
      return { reason: reason === 'tool-calls' ? 'other' : reason, usage, ...(answered !== undefined && { answered }) };
    }
    step.text = draft.text.slice(before);
    for (const { id, call } of wanted.slice(0, MOST_CALLS_PER_STEP)) {
      yield { type: 'tool-call', toolCallId: id, call };
      const result = await options.runTool(call);
      yield { type: 'tool-result', toolCallId: id, result };
      yield* draft.newSources(result);
      step.calls.push({ id, call, output: outputFor(result).slice(0, LONGEST_OUTPUT) });
    }
    steps.push(step);
  }
}

/** What a tool gave, as the model reads it. */
function outputFor(result: ToolResult): string {
  if (result.name === 'read_page') return result.content;
  if (result.results.length === 0) return 'Nothing was found.';
  return result.results.map(pageText).join('\n\n');
}

function pageText({ metadata, url, content }: RetrievedPage): string {
  return `# ${metadata.title}\n${url}\n\n${content}`;
}
