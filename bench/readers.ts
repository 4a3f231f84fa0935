import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { cpus } from 'node:os';
import { importPKCS8, SignJWT } from 'jose';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { print, processCpuMs, quantile, residentMegabytes } from './measure.ts';

/*
 * What readers who sign in cost a server: the CPU of a page of a private site for each of them,
 * beside that of the same page of a public site, and the memory of their sessions. Both sites are
 * measured in turns, so that other work on the machine affects both.
 *
 *   node bench/readers.ts [--readers 1000] [--requests 3000] [--rounds 5]
 *
 * CPU and memory of a process are read from /proc, so this runs on Linux.
 */
const args = process.argv.slice(2);
const numberOf = (option: string, fallback: number) =>
  args.includes(option) ? Number(args[args.indexOf(option) + 1]) : fallback;
const readers = numberOf('--readers', 1000);
const requests = numberOf('--requests', 3000);
const rounds = numberOf('--rounds', 5);
const PARALLEL = 8;
const BROWSER = {
  accept: 'text/html',
  'accept-encoding': 'br',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

type Docent = Awaited<ReturnType<typeof startDocent>>;
interface Sent {
  method?: 'GET' | 'POST' | 'PATCH';
  headers?: Record<string, string>;
  body?: string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: PARALLEL });

function send(site: URL, path: string, { method = 'GET', headers, body }: Sent = {}) {
  return new Promise<{ cookies: string[]; text: string }>((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port: site.port, path, method };
    const sent = { ...BROWSER, host: site.host, ...headers };
    const request = http.request({ ...options, headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject).on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const status = response.statusCode ?? 500;
        if (status < 200 || status >= 400 || (method === 'GET' && status !== 200))
          reject(new Error(`${method} ${path} answers ${status}: ${text.slice(0, 300)}`));
        else resolve({ cookies: response.headers['set-cookie'] ?? [], text });
      });
    });
    request.on('error', reject).end(body);
  });
}

/** Runs some work for each number below `count`, in parallel. */
async function forEach(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** Makes the site private; its readers sign in with tokens of a key. @returns signs tokens */
async function makePrivate({ apiUrl, adminKey, domain }: Docent) {
  const url = new URL(apiUrl);
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const call = (method: 'POST' | 'PATCH', path: string, body: object) =>
    send(url, `/v1/projects/${domain}/access${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
  const { privateKey } = JSON.parse((await call('POST', '/jwt-key', {})).text);
  await call('PATCH', '', { visibility: 'private' });
  const key = await importPKCS8(privateKey, 'EdDSA');
  return (index: number) =>
    new SignJWT({ jti: randomUUID(), groups: ['readers'], content: { name: `Reader ${index}` } })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setExpirationTime('30 s')
      .sign(key);
}

const [open, closed] = [await startDocent(), await startDocent()];
try {
  print(
    `Node.js ${process.versions.node}, ${cpus().length} cores: ${cpus()[0]?.model ?? 'unknown'}`,
  );
  const [openSite, closedSite] = [new URL(open.siteUrl), new URL(closed.siteUrl)];
  const tokenOf = await makePrivate(closed);
  const cookies: string[] = [];
  const signIn = async (index: number) => {
    const answer = await send(closedSite, '/login/jwt-callback', {
      method: 'POST',
      headers: {
        origin: closedSite.origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token: await tokenOf(index), redirect: '/' }).toString(),
    });
    cookies[index] = answer.cookies.map((cookie) => cookie.split(';')[0]).join('; ');
  };
  const visit = {
    public: (_: number) => send(openSite, '/'),
    private: (index: number) =>
      send(closedSite, '/', { headers: { cookie: cookies[index % cookies.length] ?? '' } }),
  };
  // What a first reader loads is no cost of the others.
  await signIn(0);
  await forEach(200, async (index) => void (await visit.private(index)));
  const pid = closed.child.pid as number;
  const before = residentMegabytes(pid);
  await forEach(readers, signIn);
  await forEach(readers, async (index) => void (await visit.private(index)));
  const megabytes = residentMegabytes(pid) - before;
  print(`${readers} readers signed in: ${megabytes.toFixed(0)} MB resident more`);
  const costs = { public: [] as number[], private: [] as number[] };
  for (let round = 0; round < rounds; round++)
    for (const [kind, docent] of [
      ['public', open],
      ['private', closed],
    ] as const) {
      const start = processCpuMs(docent.child.pid as number);
      await forEach(requests, async (index) => void (await visit[kind](index)));
      costs[kind].push((processCpuMs(docent.child.pid as number) - start) / requests);
    }
  const [publicCost, privateCost] = [quantile(costs.public, 0.5), quantile(costs.private, 0.5)];
  const ratio = (privateCost / publicCost).toFixed(2);
  print(`a public page: ${publicCost.toFixed(2)} ms of CPU`);
  print(`a private page: ${privateCost.toFixed(2)} ms of CPU, ${ratio} times the public one`);
} finally {
  await Promise.all([open.stop(), closed.stop()]);
  agent.destroy();
  await removeTemporaryFolders();
}
