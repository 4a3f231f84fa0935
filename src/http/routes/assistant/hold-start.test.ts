import { describe, expect, it } from 'vitest';
import { collect } from '../../../../test/support/collect.ts';
import type { AnswerEvent } from '../../../core/assistant/answer-event.ts';
import { holdStart } from './hold-start.ts';

const start: AnswerEvent = { type: 'start', messageId: 'm', threadId: 't' };
const call: AnswerEvent = { type: 'tool-call', toolCallId: 's', call: { name: 'search', input: { query: 'q' } } };
const result: AnswerEvent = { type: 'tool-result', toolCallId: 's', result: { name: 'search', results: [] } };
const text: AnswerEvent = { type: 'text', text: 'a' };
const fault: AnswerEvent = { type: 'error', message: 'Please try again.' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the start of an answer', () => {
  it.each([
    ['text', text],
    ['a search of the model itself', call],
  ])('is held until the model gives %s, and nothing of it is lost', async (_, sign) => {
    let wasAsked = false;
    const events = await holdStart(
      (async function* () {
        yield* [start, call, result];
        await pause(30);
        wasAsked = true;
        yield sign;
        yield text;
      })(),
    );
    expect(wasAsked).toBe(true);
    expect(await collect(events)).toEqual([start, call, result, sign, text]);
  });

  it('does not wait for a slow model longer than a second', async () => {
    const { promise: never, resolve: end } = Promise.withResolvers<void>();
    const events = await holdStart(
      (async function* () {
        yield* [start, call, result];
        await never;
        yield text;
      })(),
    );
    end();
    expect(await collect(events)).toEqual([start, call, result, text]);
  });

  it('throws where the model fails before it said anything, after the answer put itself in order', async () => {
    let isInOrder = false;
    const held = holdStart(
      (async function* () {
        try {
          yield* [start, call, result, fault];
        } finally {
          isInOrder = true;
        }
      })(),
    );
    await expect(held).rejects.toMatchObject({ code: 'model_failed', retryAfterSeconds: 5 });
    expect(isInOrder).toBe(true);
  });

  it('leaves a fault after the first word to the stream', async () => {
    const events = [start, call, result, text, fault];
    const held = await holdStart(
      (async function* () {
        yield* events;
      })(),
    );
    expect(await collect(held)).toEqual(events);
  });

  it('ends the answer where its reader gives up', async () => {
    let isEnded = false;
    const held = await holdStart(
      (async function* () {
        try {
          yield* [start, text, text];
        } finally {
          isEnded = true;
        }
      })(),
    );
    for await (const event of held) if (event.type === 'start') break;
    expect(isEnded).toBe(true);
  });
});
