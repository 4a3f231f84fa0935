import http from 'node:http';
import { cpus } from 'node:os';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { print, processCpuMs, quantile } from './measure.ts';

/*
 * The cost of the events of readers for the server: CPU of a page request alone, and of one with
 * the batch of events that its reader sends, with analytics off and on. All are measured in turns,
 * so that other work on the machine affects all of them.
 *
 *   node bench/events.ts [--requests 2000] [--rounds 5] [--settle-ms 2000]
 *
 * The CPU of a process is read from /proc, so this runs on Linux.
 */
const args = process.argv.slice(2);
const numberOf = (option: string, fallback: number) =>
  args.includes(option) ? Number(args[args.indexOf(option) + 1]) : fallback;
const requests = numberOf('--requests', 2000);
const rounds = numberOf('--rounds', 5);
/** By when a server has stored and counted what it was sent. */
const settleMs = numberOf('--settle-ms', 2000);
const PARALLEL = 16;
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const AGENT = 'Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)';

interface Target {
  pid: number;
  site: URL;
}
type Visit = (target: Target, reader: number) => Promise<void>;

const agent = new http.Agent({ keepAlive: true, maxSockets: PARALLEL });

/**
 * Readers come from different addresses, or the limits for one address would drop most of their
 * events.
 */
function send(
  target: Target,
  path: string,
  reader: number,
  userAgent: string,
  body?: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: target.site.host,
      'user-agent': userAgent,
      'accept-encoding': 'br',
      'x-forwarded-for': `10.${(reader >> 16) & 255}.${(reader >> 8) & 255}.${reader & 255}`,
      ...(body !== undefined && { 'content-type': 'text/plain', origin: target.site.origin }),
    };
    const options = {
      agent,
      host: '127.0.0.1',
      port: target.site.port,
      path,
      headers,
      method: body === undefined ? 'GET' : 'POST',
    };
    const request = http.request(options, (response) => {
      if ((response.statusCode ?? 500) >= 300)
        reject(new Error(`${path} answers ${response.statusCode}`));
      response.resume().on('end', resolve).on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}

/** Returns what a reader sends about a page: that it was shown, and for how long. */
const EVENTS = JSON.stringify({
  v: 1,
  now: 9000,
  events: [
    { t: 'page', at: 1000, path: '/', from: 'www.example.com' },
    { t: 'time', at: 9000, path: '/', ms: 8000 },
  ],
});
const page: Visit = (target, reader) => send(target, '/', reader, BROWSER);
const pageWithEvents: Visit = async (target, reader) => {
  await page(target, reader);
  await send(target, '/_docent/events', reader, BROWSER, EVENTS);
};
const pageByAgent: Visit = (target, reader) => send(target, '/', reader, AGENT);

let readers = 0;
/**
 * Returns the CPU per visit, including what happens after its response: storing and counting the
 * events.
 */
async function measure(target: Target, visit: Visit, count: number): Promise<number> {
  let left = count;
  const before = processCpuMs(target.pid);
  const work = async () => {
    while (left-- > 0) await visit(target, readers++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return (processCpuMs(target.pid) - before) / count;
}

async function start(analytics: 'on' | 'off') {
  const docent = await startDocent({
    env: { DOCENT_ANALYTICS: analytics, DOCENT_TRUSTED_PROXIES: '127.0.0.1' },
  });
  return { docent, pid: docent.child.pid as number, site: new URL(docent.siteUrl) };
}

const [off, on] = [await start('off'), await start('on')];
const kinds: readonly [name: string, target: Target, visit: Visit][] = [
  ['a page, analytics off', off, page],
  ['a page, analytics on', on, page],
  ['a page and its events, analytics on', on, pageWithEvents],
  ['a page fetched by an AI agent, analytics on', on, pageByAgent],
];
try {
  print(
    `Node.js ${process.versions.node}, ${cpus().length} cores: ${cpus()[0]?.model ?? 'unknown'}`,
  );
  for (const [, target, visit] of kinds) await measure(target, visit, requests / 4);
  const costs = kinds.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, [, target, visit]] of kinds.entries())
      costs[index]?.push(await measure(target, visit, requests));
  const medians = costs.map((list) => quantile(list, 0.5));
  for (const [index, [name]] of kinds.entries()) {
    const cost = medians[index] as number;
    print(
      `${name}: ${cost.toFixed(2)} ms of CPU, ${(cost / (medians[0] as number)).toFixed(2)} times the first`,
    );
  }
} finally {
  await Promise.all([off.docent.stop(), on.docent.stop()]);
  agent.destroy();
  await removeTemporaryFolders();
}
