import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A part of a fake response: text, reasoning, a tool call, a pause, or a failure. */
export type FakeTurn =
  | { text: string }
  | { reasoning: string }
  | { tool: string; input: unknown }
  | { pauseMs: number }
  | { breakOff: true };

export interface FakeOpenAi {
  /** Base address, as clients are configured with it. */
  url: string;
  /** Bodies of the requests so far. */
  requests: {
    messages: { role: string; content: unknown }[];
    tools?: unknown[];
    tool_choice?: unknown;
  }[];
  /** Headers of those requests. */
  headers: http.IncomingHttpHeaders[];
  /** The response to each request, in order; the last one is repeated. */
  turns: FakeTurn[][];
  /** Returns the response instead, by request. */
  answer?: (request: FakeOpenAi['requests'][number]) => FakeTurn[];
  /** Respond with this status instead. */
  failWith?: number;
  /** The number of responses whose reader disconnected before their end. */
  abandonedCount: number;
  close(): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a server with the streamed chat completions of OpenAI-compatible endpoints. */
export async function startFakeOpenAi(turns: FakeTurn[][]): Promise<FakeOpenAi> {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    fake.requests.push(JSON.parse(body));
    fake.headers.push(request.headers);
    if (fake.failWith) {
      response.writeHead(fake.failWith, { 'content-type': 'application/json' });
      return response.end(
        '{"error":{"message":"secret upstream detail sk-12345","type":"server_error"}}',
      );
    }
    response.once('close', () => {
      if (!response.writableFinished) fake.abandonedCount++;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const asked = fake.requests.at(-1) as FakeOpenAi['requests'][number];
    const parts =
      fake.answer?.(asked) ??
      fake.turns[Math.min(fake.requests.length, fake.turns.length) - 1] ??
      [];
    await stream(response, parts);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeOpenAi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    headers: [],
    turns,
    abandonedCount: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

async function stream(response: http.ServerResponse, parts: FakeTurn[]): Promise<void> {
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  let calls = 0;
  for (const turn of parts) {
    if (response.destroyed) return;
    if ('text' in turn) send({ role: 'assistant', content: turn.text });
    if ('reasoning' in turn) send({ reasoning_content: turn.reasoning });
    if ('pauseMs' in turn) await pause(turn.pauseMs);
    if ('breakOff' in turn) return void response.destroy();
    if ('tool' in turn) {
      const called = { name: turn.tool, arguments: JSON.stringify(turn.input) };
      send({
        tool_calls: [
          {
            index: calls,
            id: `call-${++calls}-${Math.random()}`,
            type: 'function',
            function: called,
          },
        ],
      });
    }
  }
  send({}, calls > 0 ? 'tool_calls' : 'stop');
  const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };
  response.write(`data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\ndata: [DONE]\n\n`);
  response.end();
}
