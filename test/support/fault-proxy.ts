import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to a request in transit. */
export type Fault =
  | 'none'
  /** The connection is closed at once, as if no server ran. */
  | 'refuse'
  /** The connection breaks while the request is sent. */
  | 'cut'
  /** The request is executed, and the response is lost. */
  | 'lose-answer'
  /** The response breaks off after some bytes of its body. */
  | { cutAnswerAfterBytes: number }
  /** No response ever arrives. */
  | 'hang'
  | { waitMs: number }
  | { status: number; body: string; headers?: Record<string, string> };

export interface SeenRequest {
  method: string;
  /** Path and query. */
  path: string;
}

/** A proxy that behaves like a bad network or a busy server. */
export interface FaultProxy {
  url: string;
  seen: SeenRequest[];
  /** Sets the function that chooses the fault of each request from now on. */
  onRequest(choose: (request: SeenRequest) => Fault): void;
  close(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let choose: (request: SeenRequest) => Fault = () => 'none';
  const seen: SeenRequest[] = [];
  const server = http.createServer((request, response) => {
    const one = { method: request.method ?? '', path: request.url ?? '' };
    seen.push(one);
    // A client that disconnects ends only its own request.
    forward(target, choose(one), request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    onRequest: (next) => {
      choose = next;
      seen.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(
  target: string,
  fault: Fault,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  if (fault === 'hang') return;
  if (fault === 'refuse') return void request.destroy();
  if (fault === 'cut') {
    await once(request, 'data');
    request.destroy();
    return;
  }
  const body = await joined(request);
  if (typeof fault === 'object' && 'waitMs' in fault) await sleep(fault.waitMs);
  if (typeof fault === 'object' && 'status' in fault) {
    response
      .writeHead(fault.status, { 'content-type': 'application/xml', ...fault.headers })
      .end(fault.body);
    return;
  }
  // The headers, including Host, remain unchanged, because the signature covers them.
  const { method, url, headers } = request;
  const forwarded = http.request(target, { method, path: url, headers }).end(body);
  const [answer] = (await once(forwarded, 'response')) as [http.IncomingMessage];
  const answered = await joined(answer);
  if (fault === 'lose-answer') {
    response.destroy();
    return;
  }
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  if (typeof fault === 'object' && 'cutAnswerAfterBytes' in fault) {
    response.write(answered.subarray(0, fault.cutAnswerAfterBytes), () => response.destroy());
  } else {
    response.end(answered);
  }
}

async function joined(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
