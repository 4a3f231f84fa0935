import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the fake API received it. */
export interface ShopRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The API of the fixture `playground`, on its own origin. */
export interface ShopApi {
  port: number;
  /** All requests except preflights, in order. */
  requests: ShopRequest[];
  close(): void;
}

const ALLOWED = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, x-key, x-token, idempotency-key',
  'access-control-expose-headers': 'x-request-id',
};
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Runs a script wherever it becomes markup. */
export const HOSTILE =
  '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';

/**
 * Starts it: it responds with what it received, allows every origin, and has one operation that
 * allows none.
 */
export async function startShopApi(): Promise<ShopApi> {
  const requests: ShopRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    if (url.startsWith('/closed')) {
      if (!['OPTIONS', 'HEAD'].includes(method))
        requests.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
      return void response.writeHead(200).end('secret');
    }
    if (method === 'OPTIONS') return void response.writeHead(204, ALLOWED).end();
    const got = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    if (method !== 'HEAD') requests.push(got);
    answer(got, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(got: ShopRequest, response: ServerResponse): void {
  const { status, type, body } = answerTo(got);
  response
    .writeHead(status, {
      ...ALLOWED,
      ...(type && { 'content-type': type }),
      'x-request-id': 'req-1',
    })
    .end(body);
}

function answerTo(got: ShopRequest): { status: number; type?: string; body?: string | Buffer } {
  const { method, url, headers } = got;
  if (url.startsWith('/page')) return { status: 200, type: 'text/html', body: HOSTILE };
  if (url === '/picture?kind=png') return { status: 200, type: 'image/png', body: PIXEL };
  if (url === '/picture?kind=svg') {
    return {
      status: 200,
      type: 'image/svg+xml',
      body: `<svg xmlns="http://www.w3.org/2000/svg">${HOSTILE}</svg>`,
    };
  }
  if (method === 'DELETE') return { status: 204 };
  const isKnown = Boolean(headers.authorization ?? headers['x-key']);
  if (/^\/orders(?:\?|$)/.test(url) && !isKnown) {
    return {
      status: 401,
      type: 'application/problem+json',
      body: `{"title":${JSON.stringify(HOSTILE)}}`,
    };
  }
  return {
    status: 201,
    type: 'application/json',
    body: JSON.stringify({ got: got.body, big: 1, note: HOSTILE }),
  };
}
