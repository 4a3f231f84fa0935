import http from 'node:http';

interface Got {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a GET and returns the body as it was sent, without decompression. */
export function rawGet(
  { url }: { url: string },
  path: string,
  headers: Record<string, string> = {},
  agent?: http.Agent,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${url}${path}`, { headers, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
