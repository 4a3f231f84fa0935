import { describe, expect, it } from 'vitest';
import { ResponseReader } from './response-reader.ts';

const head = (...fields: string[]) => `${['HTTP/1.1 200 OK', ...fields].join('\r\n')}\r\n\r\n`;
const chunked = head('Content-Type: text/event-stream', 'Transfer-Encoding: chunked');

/** Reads an answer that comes in pieces of one size. */
function read(answer: string, size = answer.length) {
  const reader = new ResponseReader();
  let body = '';
  for (let at = 0; at < answer.length; at += size) body += reader.push(answer.slice(at, at + size)).join('');
  return { reader, body };
}

const everyCut = Array.from({ length: 40 }, (_, index) => index + 1);

describe('the reader of an answer', () => {
  it.each(everyCut)('puts chunks together wherever the packets are cut: %i bytes', (size) => {
    const answer = `${chunked}5\r\nHello\r\n1b;name=value\r\n, this is a longer chunk.\r\n\r\n0\r\nX-Trailer: a\r\n\r\n`;
    const { reader, body } = read(answer, size);
    expect(body).toBe('Hello, this is a longer chunk.\r\n');
    expect(reader).toMatchObject({ status: 200, isComplete: true, mayStayOpen: true });
  });

  it.each(everyCut.slice(0, 8))('reads a body of a stated length wherever the packets are cut: %i bytes', (size) => {
    const { reader, body } = read(`${head('content-length: 7', 'Connection: close')}1234567`, size);
    expect(body).toBe('1234567');
    expect(reader).toMatchObject({ isComplete: true, mayStayOpen: false });
  });

  it('knows an empty body by its length', () => {
    expect(read(head('content-length: 0')).reader.isComplete).toBe(true);
    expect(read('HTTP/1.1 204 No Content\r\n\r\n').reader.isComplete).toBe(true);
  });

  it('reads a body without a length until the connection is closed', () => {
    const { reader, body } = read(`${head()}all of it`, 3);
    expect(body).toBe('all of it');
    expect(reader).toMatchObject({ isComplete: false, mayStayOpen: false });
    expect(reader.end()).toBe(true);
  });

  it('passes over what is said before the answer', () => {
    const { reader, body } = read(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head('content-length: 2')}ok`, 5);
    expect({ status: reader.status, body }).toEqual({ status: 200, body: 'ok' });
  });

  it('knows how long the server keeps the connection', () => {
    expect(read(head('content-length: 0', 'Keep-Alive: timeout=75, max=100')).reader.keepAliveSeconds).toBe(75);
    expect(read(head('content-length: 0')).reader.keepAliveSeconds).toBeUndefined();
  });

  it('does not keep a connection of HTTP/1.0', () => {
    expect(read('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n').reader.mayStayOpen).toBe(false);
  });

  it.each([
    ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['in a chunk', `${chunked}5\r\nHel`],
    ['before the last chunk', `${chunked}5\r\nHello\r\n`],
    ['in its trailer', `${chunked}0\r\nX-T: a\r\n`],
    ['in a body of a stated length', `${head('content-length: 7')}123`],
  ])('is not whole where the connection ends %s', (_, answer) => {
    expect(read(answer).reader.end()).toBe(false);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
    ['a status of no number', 'HTTP/1.1 OK\r\n\r\n'],
    ['a header without a name', head(': a')],
    ['a length of no number', head('content-length: 5x')],
    ['a negative length', head('content-length: -1')],
    ['two lengths that differ', head('content-length: 5', 'content-length: 6')],
    ['a length and chunks', head('content-length: 5', 'transfer-encoding: chunked')],
    ['a coding that is not known', head('transfer-encoding: gzip, chunked')],
    ['a chunk without a length', `${chunked}\r\n`],
    ['a chunk with a length of no number', `${chunked}5g\r\nHello\r\n`],
    ['a chunk longer than it says', `${chunked}5\r\nHello!\r\n`],
    ['more than one answer', `${head('content-length: 2')}okHTTP/1.1 200 OK\r\n`],
  ])('refuses %s', (_, answer) => {
    expect(() => read(answer)).toThrow(/model/);
    expect(() => read(answer, 1)).toThrow(/model/);
  });

  it.each([1000, 100_000])('refuses a head without end that comes in pieces of %i bytes', (size) => {
    const field = `x-long: ${'a'.repeat(990)}\r\n`;
    expect(() => read(`HTTP/1.1 200 OK\r\n${field.repeat(200)}`, size)).toThrow(/too long/);
    expect(() => read(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}`, size)).toThrow(/too long/);
  });
});
