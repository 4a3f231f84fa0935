import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DocentError } from '../core/errors.ts';
import { PROBLEM_TYPE, problemOf, statusOf } from './problem.ts';

/** Responds on the bare connection to requests that are not valid HTTP, or whose headers are too large. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const fault =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new DocentError('headers_too_large', 'The headers of the request are too large; send fewer or shorter ones.')
      : new DocentError('invalid_request', 'The request is not valid HTTP.');
  const body = JSON.stringify(problemOf(fault, { requestId, isDiscovery: false }));
  socket.end(
    `HTTP/1.1 ${statusOf(fault)} ${STATUS_CODES[statusOf(fault)]}\r\ncontent-type: ${PROBLEM_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  );
}
