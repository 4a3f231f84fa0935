import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * A plain file server: files by their names, `index.html` for a folder, `404.html` for the rest.
 */
export interface StaticServer {
  /** With a trailing slash. */
  address: string;
  close(): Promise<void>;
}

/** @param prefix where the folder is served: `/` or `/a/b/` */
export async function serveFolder(folder: string, prefix: string): Promise<StaticServer> {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const name = path.startsWith(prefix) ? normalize(path.slice(prefix.length)) : '..';
    const file = name === '.' || name.endsWith('/') ? join(name, 'index.html') : name;
    const found = file.startsWith('..')
      ? undefined
      : await readFile(join(folder, file)).catch(() => undefined);
    const body =
      found ?? (path.startsWith(prefix) ? await readFile(join(folder, '404.html')) : 'nothing');
    response.writeHead(found ? 200 : 404, {
      'content-type': (found ? TYPES[extname(file)] : TYPES['.html']) ?? 'text/plain',
    });
    response.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return {
    address: `http://127.0.0.1:${port}${prefix}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
