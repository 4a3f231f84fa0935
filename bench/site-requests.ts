import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportBundle } from '../test/support/exported-bundle.ts';
import { startBundleServer } from '../test/support/start-bundle-server.ts';
import { freePort, removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { print, processCpuMs, quantile, residentMegabytes } from './measure.ts';

/*
 * The cost of a request for a page and for an asset of the theme, on the platform and on
 * `serve-bundle`, in turns with Debian's nginx and a bare Node.js server that send the same bytes;
 * and the memory of `serve-bundle` before its first reader. Before that, every page of the sample
 * is requested for the first time since the process started, each followed by the bare server.
 *
 *   node bench/site-requests.ts [--requests 2000] [--rounds 11]
 *
 * Figures are medians of all rounds. The CPU and memory of a process are read from /proc, so this
 * runs on Linux.
 */
const numberOf = (name: string, usual: number) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};
const requests = numberOf('--requests', 2000);
const rounds = numberOf('--rounds', 11);
const PARALLEL = 16;
const NGINX = '/usr/sbin/nginx';
/** What a browser sends. */
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  'sec-fetch-site': 'none',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

interface Case {
  name: string;
  kind: 'page' | 'asset';
  pid: number;
  url: string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: PARALLEL });
const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'docent-site-requests-'));
try {
  print(
    `Node.js ${process.versions.node}, ${cpus().length} cores: ${cpus()[0]?.model ?? 'unknown'}`,
  );
  const bundle = await exportBundle('Measured.');
  const bundleServer = await startBundleServer(bundle.file);
  await bundleServer.serves();
  const bundlePid = bundleServer.child.pid as number;
  print(`serve-bundle, idle: ${Math.round(residentMegabytes(bundlePid))} MB`);
  const docent = await startDocent();
  const site = docent.siteUrl.replace(/\/$/, '');
  const plain = await plainServers(site);
  await printFirstRequests(docent.child.pid as number, site, plain[0] as Case);
  const cases = [
    ...(await casesOf('serve', docent.child.pid as number, site)),
    ...(await casesOf('serve-bundle', bundlePid, bundleServer.url)),
    ...plain,
  ];
  const costs = new Map<Case, number[]>(cases.map((entry) => [entry, []]));
  for (let round = 0; round < rounds; round++)
    for (const [entry, list] of costs) list.push(await cost(entry));
  for (const kind of ['page', 'asset'] as const) printCosts(kind, costs);
  print(`serve-bundle, after the load: ${Math.round(residentMegabytes(bundlePid))} MB`);
  await bundleServer.stop();
  await docent.stop();
} finally {
  for (const child of children) child.kill();
  agent.destroy();
  await rm(folder, { recursive: true, force: true });
  await removeTemporaryFolders();
}

/** A page and an asset of a site. */
async function casesOf(name: string, pid: number, base: string): Promise<Case[]> {
  const { page, asset } = await addressesOf(base);
  return [
    { name, kind: 'page', pid, url: base + page },
    { name, kind: 'asset', pid, url: base + asset },
  ];
}

async function addressesOf(base: string): Promise<{ page: string; asset: string }> {
  const home = (await get(`${base}/`, { 'accept-encoding': 'identity' })).toString();
  const asset = /_docent\/site-[0-9a-f]+\.js/.exec(home)?.[0];
  return { page: /href="(\/[\w-]+\/[\w-]+)"/.exec(home)?.[1] ?? '/', asset: `/${asset}` };
}

/** Servers that only send the bytes that a site sends. */
async function plainServers(site: string): Promise<Case[]> {
  const { page, asset } = await addressesOf(site);
  await writeFile(join(folder, 'page'), await get(site + page));
  await writeFile(join(folder, 'asset'), await get(site + asset));
  const bare = await startBareServer();
  const nginx = existsSync(NGINX) ? [await startNginx()] : [];
  if (nginx.length === 0) print(`nginx is not installed at ${NGINX}: measured without it`);
  return [bare, ...nginx].flatMap(({ name, pid, url }) =>
    (['page', 'asset'] as const).map((kind) => ({ name, kind, pid, url: `${url}/${kind}` })),
  );
}

async function startBareServer() {
  const port = await freePort();
  const program = `const fs = require('node:fs');
const files = { '/page': fs.readFileSync('page'), '/asset': fs.readFileSync('asset') };
require('node:http').createServer((request, response) => {
  const body = files[request.url];
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length }).end(body);
}).listen(${port}, '127.0.0.1', () => console.log('ready'));`;
  const child = spawn(process.execPath, ['-e', program], { cwd: folder });
  children.push(child);
  await once(child.stdout, 'data');
  return { name: 'bare Node.js', pid: child.pid as number, url: `http://127.0.0.1:${port}` };
}

async function startNginx() {
  const port = await freePort();
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; ${user} error_log ${folder}/error.log; pid ${folder}/pid;
events {} http { access_log off; keepalive_requests 10000000; sendfile on; open_file_cache max=100;
server { listen 127.0.0.1:${port}; root ${folder}; add_header content-encoding br; } }`,
  );
  const child = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-p', folder]);
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await get(`${url}/page`).catch(() => undefined)))
    await new Promise((resolve) => setTimeout(resolve, 50));
  const workers = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return { name: 'nginx', pid: Number(workers.trim().split(' ')[0]), url };
}

/** What pages cost that nobody has read before, one after another; nothing warms the process. */
async function printFirstRequests(pid: number, site: string, bare: Case): Promise<void> {
  const sitemap = (await get(`${site}/sitemap.xml`, { 'accept-encoding': 'identity' })).toString();
  const paths = [...sitemap.matchAll(/<loc>[^<]*?\/\/[^/<]+(\/[^<]*)<\/loc>/g)].map(
    ([, path = '']) => path,
  );
  const costs = { cpu: -processCpuMs(pid), bare: -processCpuMs(bare.pid) };
  const times: number[] = [];
  const bareTimes: number[] = [];
  for (const path of paths) {
    times.push(await milliseconds(site + path));
    bareTimes.push(await milliseconds(bare.url));
  }
  costs.cpu += processCpuMs(pid);
  costs.bare += processCpuMs(bare.pid);
  const line = (name: string, list: readonly number[], cpu: number) =>
    `${name}: ${median(list).toFixed(2)} ms, p90 ${quantile(list, 0.9).toFixed(2)} ms, ${(cpu / list.length).toFixed(2)} ms of CPU each`;
  print(`first requests of ${paths.length} pages, the very first ${times[0]?.toFixed(1)} ms`);
  print(line('  serve', times, costs.cpu));
  print(line('  bare Node.js', bareTimes, costs.bare));
}

async function milliseconds(url: string): Promise<number> {
  const startedAt = performance.now();
  await get(url);
  return performance.now() - startedAt;
}

/** Returns the microseconds of CPU that a request costs. */
async function cost({ pid, url }: Case): Promise<number> {
  await run(url, Math.ceil(requests / 10));
  const before = processCpuMs(pid);
  await run(url, requests);
  return ((processCpuMs(pid) - before) * 1000) / requests;
}

function printCosts(kind: Case['kind'], costs: ReadonlyMap<Case, number[]>): void {
  const entries = [...costs].filter(([entry]) => entry.kind === kind);
  const medians = entries.map(([{ name }, list]) => ({ name, cost: median(list) }));
  const nginx = medians.find(({ name }) => name === 'nginx')?.cost;
  for (const { name, cost: value } of medians) {
    const ratio = nginx ? `, ${(value / nginx).toFixed(1)} times nginx` : '';
    print(`${name}, ${kind}: ${value.toFixed(0)} µs of CPU each${ratio}`);
  }
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;
}

async function run(url: string, count: number): Promise<void> {
  let left = count;
  const ask = async () => {
    while (left-- > 0) await get(url);
  };
  await Promise.all(Array.from({ length: PARALLEL }, ask));
}

function get(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  // As Chromium does, because not every resolver knows the names below `localhost`.
  const { hostname, port, pathname, host } = new URL(url);
  const local = hostname.endsWith('localhost') ? '127.0.0.1' : hostname;
  const sent = { ...HEADERS, ...headers, host };
  return new Promise((resolve, reject) => {
    const options = { agent, host: local, port, path: pathname, headers: sent };
    const request = http.get(options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answers ${response.statusCode}`));
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
    });
    request.on('error', reject);
  });
}
