import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/*
 * A language model that costs next to nothing: an OpenAI-compatible endpoint in a separate process.
 * The model `endless` sends fifty chunks a second until its reader disconnects; `short` waits 20 ms
 * and then sends ten chunks at once. Reports its address to its parent, and on request how many
 * chunks it sent.
 */
const CHUNKS_PER_SECOND = 50;
const SHORT_DELAY_MS = 20;
const PERIOD_MS = 1000 / CHUNKS_PER_SECOND;

const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const frame = (text: string) =>
  Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);

const chunk = frame(event({ content: 'a few words of it, ' }));
const usage = `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 } })}\n\n`;
const short = frame(
  [
    event({ role: 'assistant', content: 'some words, ' }).repeat(10),
    event({}, 'stop'),
    usage,
    'data: [DONE]\n\n',
  ].join(''),
);

/** Streams send at different offsets of the period, like those of a real model. */
const slots: Set<Socket>[] = Array.from({ length: PERIOD_MS }, () => new Set());
let opened = 0;
let sent = 0;

if (process.send) await serve();

async function serve(): Promise<void> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString('latin1');
    });
    request.on('end', () => answer(response, body.includes('"model":"short"')));
  });
  server.keepAliveTimeout = 60_000;
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  process.on('message', () => process.send?.({ sent }));
  process.on('disconnect', () => process.exit());
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
  let last = Math.floor(performance.now());
  setInterval(() => {
    const now = Math.floor(performance.now());
    // A late tick serves each slot once, not once per missed millisecond.
    for (let time = Math.max(last, now - PERIOD_MS) + 1; time <= now; time++)
      speak(slots[time % PERIOD_MS] as Set<Socket>);
    last = now;
  }, 1);
}

function speak(sockets: Set<Socket>): void {
  for (const socket of sockets) socket.write(chunk);
  sent += sockets.size;
}

function answer(response: http.ServerResponse, isShort: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
  response.flushHeaders();
  const socket = response.socket as Socket;
  if (isShort) {
    setTimeout(() => {
      socket.write(short);
      response.end();
    }, SHORT_DELAY_MS);
    return;
  }
  const slot = slots[opened++ % slots.length] as Set<Socket>;
  slot.add(socket);
  socket.once('close', () => slot.delete(socket));
}
