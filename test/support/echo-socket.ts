import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A WebSocket server that greets with the requested path and protocol, and sends back every
 * message.
 */
export interface EchoSocket {
  port: number;
  close(): void;
}

/** Starts it. It supports only short text messages (RFC 6455, section 5.2). */
export async function startEchoSocket(): Promise<EchoSocket> {
  const server = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new Set<Socket>();
  server.on('upgrade', ({ headers, url }, socket: Socket) => {
    sockets.add(socket);
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    const protocol = headers['sec-websocket-protocol']?.split(',')[0];
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      ...(protocol ? [`Sec-WebSocket-Protocol: ${protocol}`] : []),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(frame(JSON.stringify({ hello: url, protocol })));
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      const isText = (data[0] ?? 0) === 0x81;
      if (isText) socket.write(frame(`echo ${unmasked(data)}`));
      else socket.end(Buffer.from([0x88, 0x02, 0x03, 0xe8]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length]), bytes]);
}

function unmasked(data: Buffer): string {
  const short = (data[1] ?? 0) & 127;
  const at = short === 126 ? 4 : 2;
  const length = short === 126 ? data.readUInt16BE(2) : short;
  const mask = data.subarray(at, at + 4);
  const bytes = Buffer.from(data.subarray(at + 4, at + 4 + length));
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = (bytes[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return bytes.toString();
}
