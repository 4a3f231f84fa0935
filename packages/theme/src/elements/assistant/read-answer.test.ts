import type { NextQuestions } from '@docent/assistant/chat/answer-event.ts';
import { uiMessageStream } from '@docent/assistant/wire/ui-message-stream.ts';
import { describe, expect, it } from 'vitest';
import { type AnswerChunk, readAnswer } from './read-answer.ts';

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function read(text: string, size: number): Promise<AnswerChunk[]> {
  const chunks: AnswerChunk[] = [];
  for await (const chunk of readAnswer(ReadableStream.from(cut(text, size)))) chunks.push(chunk);
  return chunks;
}

describe('the answer reader', () => {
  const wire = uiMessageStream({ minimal: false, threadIdOnFinish: false });
  const nextQuestions: NextQuestions = { kind: 'follow-ups', questions: ['And then?'] };
  const stream = [
    wire.encode({ type: 'start', messageId: 'msg-1', threadId: 'T1' }),
    wire.keepalive,
    wire.encode({
      type: 'tool-call',
      toolCallId: 'c',
      call: { name: 'search', input: { query: 'x' } },
    }),
    wire.encode({ type: 'tool-result', toolCallId: 'c', result: { name: 'search', results: [] } }),
    wire.encode({ type: 'source', id: 's', url: 'https://docs.acme.test/a#b', title: 'A' }),
    wire.encode({ type: 'reasoning', text: 'hm' }),
    wire.encode({ type: 'text', text: 'Größe 🙂\ndata: x' }),
    wire.encode({
      type: 'finish',
      reason: 'stop',
      usage: { inputTokens: 1, outputTokens: 1 },
      threadId: 'T1',
      nextQuestions,
    }),
  ].join('');

  it.each([1, 3, 17, 100_000])(
    'returns the events of the server from chunks of %i bytes',
    async (size) => {
      const shown = ['start', 'tool-input-available', 'source-url', 'text-delta', 'finish'];
      expect((await read(stream, size)).filter(({ type }) => shown.includes(type))).toEqual([
        expect.objectContaining({ type: 'start', messageId: 'msg-1' }),
        expect.objectContaining({ type: 'tool-input-available', input: { query: 'x' } }),
        expect.objectContaining({
          type: 'source-url',
          url: 'https://docs.acme.test/a#b',
          title: 'A',
        }),
        expect.objectContaining({ type: 'text-delta', delta: 'Größe 🙂\ndata: x' }),
        expect.objectContaining({
          type: 'finish',
          messageMetadata: expect.objectContaining({ nextQuestions }),
        }),
      ]);
    },
  );

  it('returns an error in the stream, and ends there', async () => {
    const failed = wire.encode({ type: 'error', message: 'Failed.' });
    expect(await read(`${failed}data: {"type":"text-delta","delta":"x"}\n\n`, 5)).toEqual([
      { type: 'error', errorText: 'Failed.' },
    ]);
  });
});
