import { describe, expect, it } from 'vitest';
import { fakeModel } from '../../test/support/fakes.ts';
import type { AnswerEvent, ToolCall, ToolResult } from '../core/assistant/answer-event.ts';
import type { ChatModel, ChatPart } from '../ports/chat-model.ts';
import { GrowingText } from './growing-text.ts';
import { writeAnswer } from './write-answer.ts';

const request = { instructions: 'Answer.', turns: [{ role: 'user' as const, text: 'How?' }], passages: [] };
const finish = (reason: 'stop' | 'tool-calls'): ChatPart => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 10, outputTokens: 2 },
});
const search = (id: string): ChatPart => ({ type: 'tool-call', id, call: { name: 'search', input: { query: id } } });

async function write(model: ChatModel, runTool = async (): Promise<ToolResult> => ({ name: 'search', results: [] })) {
  const events: AnswerEvent[] = [];
  const draft = Object.assign(new GrowingText(), { newSources: () => [] });
  const tell = (event: AnswerEvent) => void events.push(event) as undefined;
  const end = await writeAnswer({ model, request, draft, runTool, tell, signal: new AbortController().signal });
  return { events, end };
}

/** A model whose turns follow one another. */
function modelOf(turns: ChatPart[][]) {
  const models = turns.map((parts) => fakeModel(parts));
  let turn = 0;
  const model: ChatModel = {
    name: 'fake',
    stream: (...asked) => (models[Math.min(turn++, models.length - 1)] as ChatModel).stream(...asked),
  };
  return { model, turnCount: () => turn, requestsOf: (index: number) => models[index]?.requests ?? [] };
}

describe('an answer of a model that may search again', () => {
  it('holds its calls with what they gave, and the text after them', async () => {
    const { model, requestsOf } = modelOf([
      [{ type: 'text', text: 'Let me look. ' }, search('keys'), finish('tool-calls')],
      [{ type: 'text', text: 'So.' }, finish('stop')],
    ]);
    const page = { content: 'Text', path: 'keys', url: 'https://d/keys', metadata: { title: 'Keys', score: 1 } };
    const { events, end } = await write(model, async () => ({ name: 'search', results: [page] }));
    expect(events.map((event) => event.type)).toEqual(['text', 'tool-call', 'tool-result', 'text']);
    expect(end).toEqual({ reason: 'stop', usage: { inputTokens: 20, outputTokens: 4 } });
    expect(requestsOf(1)[0]?.steps).toEqual([
      {
        text: 'Let me look. ',
        calls: [expect.objectContaining({ id: 'keys', output: expect.stringContaining('https://d/keys') })],
      },
    ]);
  });

  it('ends after five turns, the last of which has no tools', async () => {
    const { model, turnCount, requestsOf } = modelOf([[search('again'), finish('tool-calls')]]);
    const { end } = await write(model);
    expect(turnCount()).toBe(5);
    expect(requestsOf(0).map((asked) => asked.mayUseTools)).toEqual([true, true, true, true, false]);
    expect(end.reason).toBe('other');
  });

  it('runs at most four calls of one turn', async () => {
    const { model } = modelOf([['a', 'b', 'c', 'd', 'e', 'f'].map(search).concat(finish('tool-calls')), [finish('stop')]]);
    const ran: ToolCall[] = [];
    await write(model, async () => {
      ran.push({ name: 'search', input: { query: '' } });
      return { name: 'search', results: [] };
    });
    expect(ran).toHaveLength(4);
  });
});
