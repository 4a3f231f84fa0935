import { describe, expect, it } from 'vitest';
import { ResponseReader } from './response-reader.ts';

const head = (...fields: string[]) => `${['HTTP/1.1 200 OK', ...fields].join('\r\n')}\r\n\r\n`;
const chunked = head('Content-Type: text/event-stream', 'Transfer-Encoding: chunked');

/** Reads a response that arrives in chunks of one size. */
function read(answer: string, size = answer.length) {
  const reader = new ResponseReader();
  let body = '';
  for (let at = 0; at < answer.length; at += size)
    body += reader.push(answer.slice(at, at + size)).join('');
  return { reader, body };
}

const packetSizes = Array.from({ length: 40 }, (_, index) => index + 1);

describe('the HTTP response reader', () => {
  it.each(packetSizes)('joins chunks that arrive in packets of %i bytes', (size) => {
    const answer = `${chunked}5\r\nHello\r\n1b;name=value\r\n, this is a longer chunk.\r\n\r\n0\r\nX-Trailer: a\r\n\r\n`;
    const { reader, body } = read(answer, size);
    expect(body).toBe('Hello, this is a longer chunk.\r\n');
    expect(reader).toMatchObject({ status: 200, isComplete: true, mayStayOpen: true });
  });

  it.each(packetSizes.slice(0, 8))(
    'reads a body with a content length that arrives in packets of %i bytes',
    (size) => {
      const { reader, body } = read(
        `${head('content-length: 7', 'Connection: close')}1234567`,
        size,
      );
      expect(body).toBe('1234567');
      expect(reader).toMatchObject({ isComplete: true, mayStayOpen: false });
    },
  );

  it('recognizes an empty body by its length or status', () => {
    expect(read(head('content-length: 0')).reader.isComplete).toBe(true);
    expect(read('HTTP/1.1 204 No Content\r\n\r\n').reader.isComplete).toBe(true);
  });

  it('reads a body without a length until the connection closes', () => {
    const { reader, body } = read(`${head()}all of it`, 3);
    expect(body).toBe('all of it');
    expect(reader).toMatchObject({ isComplete: false, mayStayOpen: false });
    expect(reader.end()).toBe(true);
  });

  it('skips informational responses', () => {
    const { reader, body } = read(
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head('content-length: 2')}ok`,
      5,
    );
    expect({ status: reader.status, body }).toEqual({ status: 200, body: 'ok' });
  });

  it('reports how long the server keeps the connection open', () => {
    expect(
      read(head('content-length: 0', 'Keep-Alive: timeout=75, max=100')).reader.keepAliveSeconds,
    ).toBe(75);
    expect(read(head('content-length: 0')).reader.keepAliveSeconds).toBeUndefined();
  });

  it('does not reuse an HTTP/1.0 connection', () => {
    expect(read('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n').reader.mayStayOpen).toBe(false);
  });

  it.each([
    ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['in a chunk', `${chunked}5\r\nHel`],
    ['before the last chunk', `${chunked}5\r\nHello\r\n`],
    ['in its trailer', `${chunked}0\r\nX-T: a\r\n`],
    ['in a body with a content length', `${head('content-length: 7')}123`],
  ])('treats a response as incomplete if the connection ends %s', (_, answer) => {
    expect(read(answer).reader.end()).toBe(false);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
    ['a status that is not a number', 'HTTP/1.1 OK\r\n\r\n'],
    ['a header without a name', head(': a')],
    ['a content length that is not a number', head('content-length: 5x')],
    ['a negative length', head('content-length: -1')],
    ['two different content lengths', head('content-length: 5', 'content-length: 6')],
    [
      'a content length with chunked encoding',
      head('content-length: 5', 'transfer-encoding: chunked'),
    ],
    ['an unknown transfer encoding', head('transfer-encoding: gzip, chunked')],
    ['a chunk without a length', `${chunked}\r\n`],
    ['a chunk whose length is not a number', `${chunked}5g\r\nHello\r\n`],
    ['a chunk longer than its length', `${chunked}5\r\nHello!\r\n`],
    ['more than one response', `${head('content-length: 2')}okHTTP/1.1 200 OK\r\n`],
  ])('rejects %s', (_, answer) => {
    expect(() => read(answer)).toThrow(/model/);
    expect(() => read(answer, 1)).toThrow(/model/);
  });

  it.each([1000, 100_000])(
    'rejects an endless head that arrives in packets of %i bytes',
    (size) => {
      const field = `x-long: ${'a'.repeat(990)}\r\n`;
      expect(() => read(`HTTP/1.1 200 OK\r\n${field.repeat(200)}`, size)).toThrow(/too long/);
      expect(() => read(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}`, size)).toThrow(/too long/);
    },
  );
});
