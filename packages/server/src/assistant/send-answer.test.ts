import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnswerEvent } from '@docent/assistant/chat/answer-event.ts';
import { dataStream } from '@docent/assistant/wire/data-stream.ts';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { sendAnswer } from './send-answer.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const text = (piece: string): AnswerEvent => ({ type: 'text', text: piece });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the lines of a response, and calls `onLine` when one arrives. */
async function receive(
  events: () => AsyncIterable<AnswerEvent>,
  onLine: (line: string) => void = () => {},
): Promise<string[]> {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/', (_request, reply) =>
    sendAnswer(reply, events(), dataStream({ minimal: false, searchForm: 'array' })).catch(
      () => {},
    ),
  );
  await app.listen({ port: 0 });
  opened.push(app);
  const [response] = (await once(
    http.get({ port: (app.server.address() as AddressInfo).port }),
    'response',
  )) as [http.IncomingMessage];
  const lines: string[] = [];
  for await (const chunk of response) {
    for (const line of String(chunk).split('\n').filter(Boolean)) {
      lines.push(line);
      onLine(line);
    }
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
    expect(lines[0]).toBe('0:"a"');
    expect(lines.map((line) => JSON.parse(line.slice(2))).join('')).toBe('abcdefghi');
    // Fewer than the nine pieces.
    expect(lines.length).toBeLessThan(9);
  });

  it('sends a piece without waiting for the next one', async () => {
    const received = Promise.withResolvers<void>();
    const lines = await receive(
      async function* () {
        yield text('a');
        yield text('b');
        // It never comes if the pieces wait for the next one.
        await received.promise;
      },
      (line) => {
        if (line.includes('b')) received.resolve();
      },
    );
    expect(lines.join('')).toBe('0:"a"0:"b"');
  });

  it('never splits a surrogate pair', async () => {
    const [high, low] = ['\ud83d', '\ude80'];
    const lines = await receive(async function* () {
      yield text(`go ${high}`);
      await pause(60);
      yield text(`${low}!`);
    });
    expect(lines.join('')).not.toContain('\\ud83d');
    expect(lines.map((line) => JSON.parse(line.slice(2))).join('')).toBe('go 🚀!');
  });

  it('ends cleanly after a failure, with all text that preceded it', async () => {
    const lines = await receive(async function* () {
      yield text('a');
      yield text('b');
      throw new Error('fault');
    });
    expect(lines.map((line) => JSON.parse(line.slice(2))).join('')).toBe('ab');
  });
});
