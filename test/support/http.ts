import { spawnSync } from 'node:child_process';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { Agent, fetch as undiciFetch } from 'undici';

/** What `npm start -- --json` prints. */
export interface Started {
  siteUrl: string;
  apiUrl: string;
  domain: string;
  assistantKey: string;
  adminKey: string;
}

/** Returns the folder of a fixture site. */
export function fixtureSite(name: string): string {
  return fileURLToPath(new URL(`../sites/${name}`, import.meta.url));
}

/** Packs a folder as a `.tar.gz` with the system's tar, as a caller of the API would. */
export function tarball(folder: string): Buffer<ArrayBuffer> {
  const packed = spawnSync('tar', ['-czf', '-', '-C', folder, '.'], { maxBuffer: 1 << 28 });
  if (packed.status !== 0) throw new Error(packed.stderr.toString());
  return Buffer.from(packed.stdout);
}

/** Calls the API with a key. */
export function call(
  docent: Started,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${docent.apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export interface DeploymentBody {
  status: string;
  summary: string;
  logs: string[];
  report: {
    pageCount: number;
    failedPageCount: number;
    diagnostics: { code: string; file: string; line?: number; remedy: string }[];
  } | null;
}

/** Publishes an archive over HTTP and waits until its build has finished. */
export async function publishArchive(
  docent: Started,
  slug: string,
  archive: Uint8Array<ArrayBuffer>,
): Promise<DeploymentBody> {
  await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug });
  const sent = await fetch(`${docent.apiUrl}/v1/project/${slug}/source`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': 'application/gzip' },
    body: archive,
  });
  if (sent.status !== 202) throw new Error(`${sent.status} ${await sent.text()}`);
  const { statusId } = (await sent.json()) as { statusId: string };
  return until(async () => {
    const deployment = (await (
      await call(docent, docent.adminKey, 'GET', `/v1/project/update-status/${statusId}`)
    ).json()) as DeploymentBody;
    return deployment.status === 'success' || deployment.status === 'failure'
      ? deployment
      : undefined;
  });
}

/** The published fixture sites, by address. */
const publishedFixtures = new Map<string, Promise<string>>();

/**
 * Publishes a fixture site under its name, once for each Docent: tests that only read it share it.
 * @returns the address of the site, without a slash at its end
 */
export function publishFixture(docent: Started & { port: number }, name: string): Promise<string> {
  const address = `http://${name}.localhost:${docent.port}`;
  const publish = async () => {
    const { status, logs } = await publishArchive(docent, name, tarball(fixtureSite(name)));
    if (status !== 'success') throw new Error(logs.join('\n'));
    return address;
  };
  const published = publishedFixtures.get(address) ?? publish();
  publishedFixtures.set(address, published);
  return published;
}

/** Polls until there is a value, ever less often; fails after two minutes. */
export async function until<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  let pauseMs = 25;
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const value = await ask();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 1.5, 300);
  }
  throw new Error('there was no result within two minutes');
}

/**
 * Resolves every name to this machine, because not every system's resolver knows names below
 * `localhost`.
 */
const thisMachine = new Agent({
  connect: {
    lookup: (_hostname, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  },
});

/** `fetch` for addresses of sites such as `http://acme.localhost:3000/`. */
export function fetchLocal(address: string | URL, init: RequestInit = {}): Promise<Response> {
  return undiciFetch(address, {
    ...(init as object),
    dispatcher: thisMachine,
  }) as unknown as Promise<Response>;
}

/** Fetches from a site's own address. */
export function fetchSite(
  { port }: { port: number },
  slug: string,
  path: string,
  init?: RequestInit,
): Promise<Response> {
  return fetchLocal(`http://${slug}.localhost:${port}${path}`, init);
}

/** Sends a GET with the `Host` header and the encoding of the test. */
export function getAs(
  port: number,
  host: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { host: '127.0.0.1', port, path, headers: { host, ...headers } },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        });
      },
    );
    request.on('error', reject);
  });
}
