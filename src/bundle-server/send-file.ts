import { createReadStream } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { chooseEncoding } from '../http/routes/site/body-cache.ts';
import {
  type ByteRange,
  bodyEtag,
  cacheControl,
  fileVersion,
  isUnchanged,
  wantedRange,
} from '../http/routes/site/conditional-requests.ts';
import { contentPolicy, siteHeaders } from '../http/routes/site/site-headers.ts';
import type { ServedFile } from './bundle.ts';
import type { BundleStore } from './bundle-store.ts';
import { isServedCompressed } from './compress-files.ts';
import { type HeldFiles, MAX_HELD_BYTES } from './held-files.ts';

const ownRules = { scriptSources: [], frameAncestors: "'self'" };

/** What every answer carries: nothing is sniffed, nothing of an address is told to others, nobody frames the site. */
export const safetyHeaders = siteHeaders(undefined, { isHttps: false, ...ownRules });

export interface FileSending {
  file: ServedFile;
  status: 200 | 404;
  /** There is a Markdown form of it at the same address. */
  hasMarkdown: boolean;
  /** What the pages of the bundle are sent with; undefined for a bundle that does not say it. */
  pagePolicy: string | undefined;
}

/** Sends a file as RFC 9110 has it: conditions, ranges, the encoding that the client takes. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { store, held }: { store: BundleStore; held: HeldFiles },
  { file, status, hasMarkdown, pagePolicy }: FileSending,
): Promise<void> {
  const compressed = isServedCompressed(file);
  const asksForPart = request.headers.range !== undefined && status === 200 && request.method === 'GET';
  const encoding = compressed && !asksForPart ? chooseEncoding(request.headers['accept-encoding']) : 'identity';
  const etag = bodyEtag(fileVersion(file), encoding);
  const headers: OutgoingHttpHeaders = { ...safetyHeaders, 'content-type': file.type };
  headers['cache-control'] = cacheControl(file.immutable);
  if (hasMarkdown) headers.vary = 'accept, accept-encoding';
  else if (compressed) headers.vary = 'accept-encoding';
  if (!file.type.startsWith('text/html')) headers['content-security-policy'] = contentPolicy(file.type, ownRules);
  // The scripts inside a page are those of the Docent that made it.
  else if (pagePolicy !== undefined) headers['content-security-policy'] = pagePolicy;
  if (status === 200) {
    headers.etag = etag;
    headers['accept-ranges'] = 'bytes';
    if (isUnchanged(request.headers, etag)) {
      response.writeHead(304, headers).end();
      return;
    }
  }
  if (encoding !== 'identity') headers['content-encoding'] = encoding;

  const range = asksForPart ? wantedRange(request.headers, etag, file.sizeBytes) : undefined;
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${file.sizeBytes}`, 'content-length': 0 }).end();
    return;
  }
  if (range || (encoding === 'identity' && file.sizeBytes > MAX_HELD_BYTES)) {
    return stream(request, response, { path: store.filePath(file.sha256), file, status, headers, range });
  }
  const bytes = held.held(file.sha256, encoding) ?? (await held.read(file.sha256, encoding));
  headers['content-length'] = bytes.byteLength;
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : bytes);
}

interface Streaming {
  path: string;
  file: ServedFile;
  status: number;
  headers: OutgoingHttpHeaders;
  range: ByteRange | undefined;
}

async function stream(
  request: IncomingMessage,
  response: ServerResponse,
  { path, file, status, headers, range }: Streaming,
): Promise<void> {
  headers['content-length'] = range ? range.end - range.start + 1 : file.sizeBytes;
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${file.sizeBytes}`;
  response.writeHead(range ? 206 : status, headers);
  if (request.method === 'HEAD' || file.sizeBytes === 0) {
    response.end();
    return;
  }
  // A reader who leaves in the middle is no fault; the connection is closed either way.
  await pipeline(createReadStream(path, range ?? {}), response).catch(() => {});
}
