import { validateHeaderValue } from 'node:http';
import { connect as connectPlain, isIP, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectSecure } from 'node:tls';
import { KeptConnections } from './kept-connections.ts';
import { Exchange, type StreamedAnswer } from './streamed-answer.ts';

export interface StreamedPostOptions {
  url: URL;
  headers: Record<string, string>;
  /** After something was read, the connection is left alone for so long; what comes meanwhile is read at once. */
  readEveryMs: () => number;
  /** A certificate authority to trust in place of the known ones. */
  ca?: string | undefined;
}

/**
 * Sends requests of HTTP/1.1 (RFC 9112) to one address and reads their answers as slowly as asked. It exists because thousands of
 * answers may come in small pieces at once: to read four pieces together takes half the CPU that the platform's client takes
 * for four callbacks (`decisions/2026-11-21-own-model-connection.md`).
 * @throws TypeError where a header cannot be sent
 */
export function createStreamedPost({ url, headers, readEveryMs, ca }: StreamedPostOptions): (body: string) => StreamedAnswer {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(url.port) || (isSecure ? 443 : 80), noDelay: true };
  const fields = Object.entries({ host: url.host, ...headers });
  for (const [name, value] of fields) validateHeaderValue(name, value);
  const lines = [`POST ${url.pathname}${url.search} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  const head = lines.join('\r\n');
  const connections = new KeptConnections((onread) => {
    // Both take it; the types say so of one only.
    const options: TcpNetConnectOpts & ConnectionOptions = { ...at, onread };
    return isSecure ? connectSecure({ ...options, ...(isIP(host) === 0 && { servername: host }), ca }) : connectPlain(options);
  });
  return (body) => {
    const request = `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return new Exchange(request, connections, readEveryMs);
  };
}
