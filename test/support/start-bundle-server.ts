import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './http.ts';
import { commandLine, temporaryFolder } from './start-docent.ts';

/** `docent serve-bundle` as a separate process. */
export interface RunningBundleServer {
  url: string;
  cache: string;
  child: ChildProcess;
  log(): string;
  /** Returns the status and the body of `/readyz`. */
  readiness(): Promise<{ status: number; body: Record<string, string> }>;
  /** Resolves when `/readyz` reports this archive, or any archive by default. */
  serves(sha256?: string): Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export interface StartBundleOptions {
  cache?: string;
  args?: string[];
  env?: Record<string, string>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a bundle server on a free port; it listens when this resolves, but may not be ready. */
export async function startBundleServer(
  location: string | undefined,
  options: StartBundleOptions = {},
): Promise<RunningBundleServer> {
  const cache = options.cache ?? join(await temporaryFolder(), 'cache');
  const args = [
    ...(location === undefined ? [] : [location]),
    '--json',
    '--cache',
    cache,
    '--port',
    '0',
    ...(options.args ?? []),
  ];
  const env = { ...process.env, DOCENT_BUNDLE_URL: '', ...options.env };
  const child = spawn(process.execPath, commandLine(['serve-bundle', ...args]), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => text as string),
    exited.then(([code]) => {
      throw new Error(`serve-bundle ended with ${code}:\n${log}`);
    }),
  ]);
  const { url } = JSON.parse(line) as { url: string };
  const base = url.replace(/\/$/, '');
  const { origin } = new URL(url);
  const readiness = async () => {
    const answer = await fetch(`${origin}/readyz`);
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  return {
    url: base,
    cache,
    child,
    log: () => log,
    readiness,
    async serves(sha256) {
      await until(async () => {
        const { status, body } = await readiness();
        return status === 200 && (sha256 === undefined || body.sha256 === sha256)
          ? true
          : undefined;
      });
    },
    get: (path, headers = {}) => fetch(`${base}${path}`, { headers, redirect: 'manual' }),
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
