import http from 'node:http';
import { cpus } from 'node:os';
import { exportBundle } from '../test/support/exported-bundle.ts';
import { startBundleServer } from '../test/support/start-bundle-server.ts';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { print, processCpuMs, residentMegabytes } from './measure.ts';

/*
 * The cost of a request for a page and for an asset, on the platform and on `serve-bundle`, both
 * with the sample site; and the memory of `serve-bundle` before its first reader.
 *
 *   node bench/site-requests.ts [--requests 20000]
 *
 * The CPU and memory of a process are read from /proc, so this runs on Linux.
 */
const args = process.argv.slice(2);
const requests = args.includes('--requests')
  ? Number(args[args.indexOf('--requests') + 1])
  : 20_000;
const PARALLEL = 16;

try {
  print(
    `Node.js ${process.versions.node}, ${cpus().length} cores: ${cpus()[0]?.model ?? 'unknown'}`,
  );
  const bundle = await exportBundle('Measured.');
  const bundleServer = await startBundleServer(bundle.file);
  await bundleServer.serves();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  print(
    `serve-bundle, idle: ${Math.round(residentMegabytes(bundleServer.child.pid as number))} MB`,
  );
  await measure('serve-bundle', bundleServer.child.pid as number, bundleServer.url);
  print(
    `serve-bundle, after the load: ${Math.round(residentMegabytes(bundleServer.child.pid as number))} MB`,
  );
  await bundleServer.stop();
  const docent = await startDocent();
  await measure('serve', docent.child.pid as number, docent.siteUrl.replace(/\/$/, ''));
  await docent.stop();
} finally {
  await removeTemporaryFolders();
}

async function measure(name: string, pid: number, base: string): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: PARALLEL });
  const home = await body(agent, `${base}/`);
  const page = /href="(\/[\w-]+\/[\w-]+)"/.exec(home)?.[1] ?? '/';
  const asset = /_docent\/site-[0-9a-f]+\.js/.exec(home)?.[0];
  const paths = {
    page: '/',
    asset: `/${asset}`,
    file: name === 'serve-bundle' ? '/logo.svg' : page,
  };
  for (const [kind, path] of Object.entries(paths)) {
    await run(agent, `${base}${path}`, requests / 10);
    const before = processCpuMs(pid);
    const startedAt = performance.now();
    await run(agent, `${base}${path}`, requests);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = (processCpuMs(pid) - before) / requests;
    print(
      `${name}, ${kind} (${path}): ${Math.round(requests / seconds)} requests a second, ${cpu.toFixed(3)} ms of CPU each`,
    );
  }
  agent.destroy();
}

async function run(agent: http.Agent, url: string, count: number): Promise<void> {
  let left = count;
  const ask = async () => {
    while (left-- > 0) await body(agent, url);
  };
  await Promise.all(Array.from({ length: PARALLEL }, ask));
}

function body(agent: http.Agent, url: string): Promise<string> {
  // As Chromium does, because not every resolver knows the names below `localhost`.
  const { hostname, port, pathname, host } = new URL(url);
  const local = hostname.endsWith('localhost') ? '127.0.0.1' : hostname;
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      accept: 'text/html,*/*',
      'accept-encoding': pathname === '/' ? 'identity' : 'br',
    };
    const request = http.get({ agent, host: local, port, path: pathname, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answers ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text)).on('error', reject);
    });
    request.on('error', reject);
  });
}
