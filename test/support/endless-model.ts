import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A hostile model that sends the same piece without end, as fast as it is read.
 * @param type media type of its answer
 */
export async function startEndlessModel(piece: string, type: string) {
  let sentBytes = 0;
  let open = 0;
  const bytes = Buffer.from(piece.repeat(Math.ceil(32_768 / piece.length)));
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    request.resume();
    response.writeHead(200, { 'content-type': type });
    const send = (): void => {
      while (!response.destroyed) {
        sentBytes += bytes.length;
        if (!response.write(bytes)) return void response.once('drain', send);
      }
    };
    send();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sentBytes() {
      return sentBytes;
    },
    /** Answers that are still being sent. */
    get openCount() {
      return open;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
