import { describe, expect, it } from 'vitest';
import type { ChatModel, ChatPart, ChatRequest } from './chat-model.ts';

const request: ChatRequest = {
  instructions: 'Answer from the passages.',
  turns: [{ role: 'user', text: 'How do I rotate an API key?' }],
  passages: [
    {
      content:
        'To rotate an API key, create a second one, move your clients to it, and revoke the first.',
      path: 'keys',
      url: 'https://docs.example.com/keys#rotate',
      headings: ['Rotate a key'],
      metadata: { title: 'API keys', score: 0.7 },
    },
  ],
  steps: [],
  mayUseTools: false,
};

async function collect(
  model: ChatModel,
  chatRequest: ChatRequest,
  signal = new AbortController().signal,
): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of model.stream(chatRequest, signal)) parts.push(part);
  return parts;
}

/**
 * What every model behind the port guarantees.
 * @param makeModel a model that can answer `request` with some text in more than one part
 */
export function chatModelContract(name: string, makeModel: () => ChatModel): void {
  describe(`chat model contract: ${name}`, () => {
    it('has a name for metrics', () => {
      expect(makeModel().name).toMatch(/\S/);
    });

    it('answers with text and exactly one finish, which comes last', async () => {
      const parts = await collect(makeModel(), request);
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      expect(text.trim()).not.toBe('');
      expect(parts.filter((part) => part.type === 'finish')).toHaveLength(1);
      expect(parts.at(-1)?.type).toBe('finish');
    });

    it('reports token counts as whole numbers', async () => {
      const finish = (await collect(makeModel(), request)).at(-1);
      if (finish?.type !== 'finish') throw new Error('no finish');
      expect(Number.isInteger(finish.usage.inputTokens) && finish.usage.inputTokens >= 0).toBe(
        true,
      );
      expect(Number.isInteger(finish.usage.outputTokens) && finish.usage.outputTokens >= 0).toBe(
        true,
      );
    });

    it('yields nothing if the signal is already aborted', async () => {
      expect(await collect(makeModel(), request, AbortSignal.abort())).toEqual([]);
    });

    it('ends immediately, without a finish, when the signal is aborted midway', async () => {
      const whole = await collect(makeModel(), request);
      expect(whole.length).toBeGreaterThan(2);
      const controller = new AbortController();
      const parts: ChatPart[] = [];
      for await (const part of makeModel().stream(request, controller.signal)) {
        parts.push(part);
        controller.abort();
      }
      expect(parts).toEqual(whole.slice(0, 1));
    });

    it('answers the next request after a reader stops midway', async () => {
      const model = makeModel();
      for await (const part of model.stream(request, new AbortController().signal)) {
        expect(part.type).not.toBe('finish');
        break;
      }
      expect((await collect(model, request)).at(-1)?.type).toBe('finish');
    });

    it('answers even if no passage was found', async () => {
      const parts = await collect(makeModel(), { ...request, passages: [] });
      expect(parts.some((part) => part.type === 'text' && part.text.trim() !== '')).toBe(true);
    });

    it('answers several requests concurrently', async () => {
      const model = makeModel();
      const answers = await Promise.all([
        collect(model, request),
        collect(model, request),
        collect(model, request),
      ]);
      for (const parts of answers) expect(parts.at(-1)?.type).toBe('finish');
    });
  });
}
