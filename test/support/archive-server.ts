import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** How an archive server behaves; everything can change at any time. */
export interface ArchiveBehavior {
  bytes: Uint8Array;
  /** Responds with this status instead of the archive. */
  status?: number;
  /** Ends the connection after this many bytes of a response, the next `cutTimes` times. */
  cutAfterBytes?: number;
  cutTimes?: number;
  /** Resolves when the connection may end; by default after 300 ms. */
  beforeCut?: () => Promise<unknown>;
  /** Sends chunks of 4 KB with this pause between them. */
  pauseMs?: number;
  /** Ignores `Range`. */
  ignoresRange?: boolean;
  /** Sends nothing that identifies a version of the content. */
  hidesVersion?: boolean;
  /** Text of `bundle.tar.gz.sha256`. */
  sha256?: string;
  /** Text of `bundle.tar.gz.minisig`. */
  minisig?: string;
}

/** A server of one archive that can fail in several ways. */
export interface ArchiveServer {
  /** Contains a signature that must never be shown. */
  link: string;
  behavior: ArchiveBehavior;
  /** The responses so far: `200`, `206 bytes=100-`. */
  log: string[];
  close(): Promise<void>;
}

/** Starts a server whose only archive is `/exports/bundle.tar.gz`. */
export async function startArchiveServer(behavior: ArchiveBehavior): Promise<ArchiveServer> {
  const server = createServer((request, response) =>
    answer(archive, request, response).catch(() => response.destroy()),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const archive: ArchiveServer = {
    link: `http://127.0.0.1:${port}/exports/bundle.tar.gz?signature=very-secret`,
    behavior,
    log: [],
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return archive;
}

async function answer(
  archive: ArchiveServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { bytes, status, sha256, minisig, hidesVersion, ignoresRange } = archive.behavior;
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const respond = (code: number, headers: Record<string, string | number> = {}) => {
    archive.log.push(
      `${/\.(sha256|minisig)$/.exec(pathname)?.[1]?.concat(' ') ?? ''}${code}${range === undefined ? '' : ` ${range}`}`,
    );
    response.writeHead(code, headers);
  };
  if (pathname.endsWith('.sha256')) {
    respond(sha256 === undefined ? 404 : 200);
    response.end(sha256);
    return;
  }
  if (pathname.endsWith('.minisig')) {
    respond(minisig === undefined ? 404 : 200);
    response.end(minisig);
    return;
  }
  if (status !== undefined) {
    respond(status);
    response.end('not today');
    return;
  }
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  const version: Record<string, string> = hidesVersion ? {} : { etag };
  if (!hidesVersion && ifNoneMatch?.includes(etag)) {
    respond(304, version);
    response.end();
    return;
  }
  const start =
    !ignoresRange && ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
  if (start >= bytes.byteLength && start > 0) {
    respond(416, { 'content-range': `bytes */${bytes.byteLength}` });
    response.end();
    return;
  }
  const part = bytes.subarray(start);
  const content = {
    'content-length': part.byteLength,
    'content-type': 'application/gzip',
    ...version,
  };
  if (start > 0)
    respond(206, {
      ...content,
      'content-range': `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}`,
    });
  else respond(200, content);
  await send(archive.behavior, part, response);
}

async function send(
  behavior: ArchiveBehavior,
  part: Uint8Array,
  response: ServerResponse,
): Promise<void> {
  const { cutAfterBytes, pauseMs } = behavior;
  if (cutAfterBytes !== undefined && (behavior.cutTimes ?? 0) > 0) {
    behavior.cutTimes = (behavior.cutTimes ?? 0) - 1;
    response.write(part.subarray(0, cutAfterBytes));
    await (behavior.beforeCut?.() ?? wait(300));
    response.destroy();
    return;
  }
  if (pauseMs === undefined) {
    response.end(part);
    return;
  }
  for (let at = 0; at < part.byteLength && !response.destroyed; at += 4096) {
    response.write(part.subarray(at, at + 4096));
    await wait(pauseMs);
  }
  response.end();
}
