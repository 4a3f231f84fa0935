import type { AnswerListener, RetrievedPage, TokenUsage, ToolCall, ToolResult } from '../core/assistant/answer-event.ts';
import type { ChatRequest, ToolStep } from '../core/assistant/chat-request.ts';
import type { ChatModel, ChatPart, PartListener } from '../ports/chat-model.ts';
import type { Draft } from './answer-draft.ts';

/** After so many turns the model has to answer from what it has. */
const MOST_STEPS = 5;
const MOST_CALLS_PER_STEP = 4;
const LONGEST_OUTPUT = 12_000;

export interface WriteAnswerOptions {
  model: ChatModel;
  /** As it is before the model did anything. */
  request: Omit<ChatRequest, 'steps' | 'mayUseTools'>;
  /** Takes note of what is said. */
  draft: Pick<Draft, 'text' | 'add' | 'newSources'>;
  /** Does what the model asks for. */
  runTool: (call: ToolCall) => Promise<ToolResult>;
  tell: AnswerListener;
  signal: AbortSignal;
}

type Finish = Extract<ChatPart, { type: 'finish' }>;

/** Tells what the model says and does. Never more than five turns of the model. @returns why it ended */
export async function writeAnswer(options: WriteAnswerOptions): Promise<Omit<Finish, 'type'>> {
  const { model, request, draft, tell, signal } = options;
  const steps: ToolStep[] = [];
  const usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  while (true) {
    const mayUseTools = steps.length < MOST_STEPS - 1;
    const before = draft.text.length;
    const step: ToolStep = { text: '', calls: [] };
    const wanted: { id: string; call: ToolCall }[] = [];
    const end: Pick<Finish, 'reason' | 'answered'> = { reason: 'other' };
    const hear: PartListener = (part) => {
      if (part.type === 'text') draft.add(part.text);
      if (part.type === 'text' || part.type === 'reasoning') return tell(part);
      if (part.type === 'tool-call') wanted.push(part);
      else {
        end.reason = part.reason;
        if (part.answered !== undefined) end.answered = part.answered;
        usage.inputTokens += part.usage.inputTokens;
        usage.outputTokens += part.usage.outputTokens;
      }
      return undefined;
    };
    await model.stream({ ...request, steps: [...steps], mayUseTools }, hear, signal);
    if (signal.aborted || wanted.length === 0 || !mayUseTools) {
      return { ...end, reason: end.reason === 'tool-calls' ? 'other' : end.reason, usage };
    }
    step.text = draft.text.slice(before);
    for (const { id, call } of wanted.slice(0, MOST_CALLS_PER_STEP)) {
      await tell({ type: 'tool-call', toolCallId: id, call });
      const result = await options.runTool(call);
      await tell({ type: 'tool-result', toolCallId: id, result });
      for (const source of draft.newSources(result)) await tell(source);
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
