import { describe, expect, it } from 'vitest';
import type { AnswerEvent, AnswerListener, TellAnswer } from '../../../core/assistant/answer-event.ts';
import { holdStart } from './hold-start.ts';

const start: AnswerEvent = { type: 'start', messageId: 'm', threadId: 't' };
const call: AnswerEvent = { type: 'tool-call', toolCallId: 's', call: { name: 'search', input: { query: 'q' } } };
const result: AnswerEvent = { type: 'tool-result', toolCallId: 's', result: { name: 'search', results: [] } };
const text: AnswerEvent = { type: 'text', text: 'a' };
const fault: AnswerEvent = { type: 'error', message: 'Please try again.' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function tellAll(tell: AnswerListener, events: readonly AnswerEvent[]): Promise<void> {
  for (const event of events) await tell(event);
}

async function collect(tellAnswer: TellAnswer): Promise<AnswerEvent[]> {
  const events: AnswerEvent[] = [];
  await tellAnswer((event) => {
    events.push(event);
    return undefined;
  });
  return events;
}

describe('the start of an answer', () => {
  it.each([
    ['text', text],
    ['a search of the model itself', call],
  ])('is held until the model gives %s, and nothing of it is lost', async (_, sign) => {
    let wasAsked = false;
    const held = await holdStart(async (tell) => {
      await tellAll(tell, [start, call, result]);
      await pause(30);
      wasAsked = true;
      await tellAll(tell, [sign, text]);
    });
    expect(wasAsked).toBe(true);
    expect(await collect(held)).toEqual([start, call, result, sign, text]);
  });

  it('is a second at most, however slow the model', async () => {
    const { promise: never, resolve: end } = Promise.withResolvers<void>();
    const held = await holdStart(async (tell) => {
      await tellAll(tell, [start, call, result]);
      await never;
      await tellAll(tell, [text]);
    });
    end();
    expect(await collect(held)).toEqual([start, call, result, text]);
  });

  it('makes the model wait until somebody hears it, and for that one afterwards', async () => {
    let toldCount = 0;
    const held = await holdStart(async (tell) => {
      for (const event of [start, call, result, text, text, text]) {
        await tell(event);
        toldCount++;
      }
    });
    await pause(20);
    expect(toldCount).toBe(3);
    const slow = Promise.withResolvers<void>();
    const isOver = held((event) => (event.type === 'text' ? slow.promise : undefined));
    await pause(20);
    expect(toldCount).toBe(3);
    slow.resolve();
    await isOver;
    expect(toldCount).toBe(6);
  });

  it('throws where the model fails before it said anything, after the answer put itself in order', async () => {
    let isInOrder = false;
    const held = holdStart(async (tell) => {
      await tellAll(tell, [start, call, result, fault]);
      await pause(5);
      isInOrder = true;
    });
    await expect(held).rejects.toMatchObject({ code: 'model_failed', retryAfterSeconds: 5 });
    expect(isInOrder).toBe(true);
  });

  it('leaves a fault after the first word to the stream', async () => {
    const events = [start, call, result, text, fault];
    expect(await collect(await holdStart((tell) => tellAll(tell, events)))).toEqual(events);
  });
});
