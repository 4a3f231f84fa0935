import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../core/assistant/answer-event.ts';
import { dataStream } from '../../../core/assistant/wire/data-stream.ts';
import { sendAnswer } from './send-answer.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const text = (piece: string): AnswerEvent => ({ type: 'text', text: piece });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lines of a response, each with its time of arrival. */
async function receive(events: () => AsyncIterable<AnswerEvent>): Promise<{ line: string; atMs: number }[]> {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/', (_request, reply) =>
    sendAnswer(reply, events(), dataStream({ minimal: false, searchForm: 'array' })).catch(() => {}),
  );
  await app.listen({ port: 0 });
  opened.push(app);
  const [response] = (await once(http.get({ port: (app.server.address() as AddressInfo).port }), 'response')) as [
    http.IncomingMessage,
  ];
  const lines: { line: string; atMs: number }[] = [];
  for await (const chunk of response) {
    for (const line of String(chunk).split('\n').filter(Boolean)) lines.push({ line, atMs: performance.now() });
  }
  return lines;
}

describe('a streamed answer', () => {
  it('sends its first piece immediately, and joins pieces that follow faster than a reader can see', async () => {
    const lines = await receive(async function* () {
      yield text('a');
      await pause(1);
      for (const piece of 'bcdefgh') yield text(piece);
      await pause(80);
      yield text('i');
    });
    expect(lines[0]?.line).toBe('0:"a"');
    expect(lines.map(({ line }) => JSON.parse(line.slice(2))).join('')).toBe('abcdefghi');
    // Three, or four on a slow machine.
    expect(lines.length).toBeLessThanOrEqual(4);
  });

  it('sends a piece without waiting for the next one', async () => {
    const startedAt = performance.now();
    const lines = await receive(async function* () {
      yield text('a');
      yield text('b');
      await pause(1500);
    });
    expect((lines.at(-1)?.atMs as number) - startedAt).toBeLessThan(1400);
  });

  it('never splits a surrogate pair', async () => {
    const [high, low] = ['\ud83d', '\ude80'];
    const lines = await receive(async function* () {
      yield text(`go ${high}`);
      await pause(60);
      yield text(`${low}!`);
    });
    expect(lines.map(({ line }) => line).join('')).not.toContain('\\ud83d');
    expect(lines.map(({ line }) => JSON.parse(line.slice(2))).join('')).toBe('go 🚀!');
  });

  it('ends cleanly after a failure, with all text that preceded it', async () => {
    const lines = await receive(async function* () {
      yield text('a');
      yield text('b');
      throw new Error('fault');
    });
    expect(lines.map(({ line }) => JSON.parse(line.slice(2))).join('')).toBe('ab');
  });
});
