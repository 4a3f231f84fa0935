import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from './end-with-us.ts';
import { freePort } from './start-docent.ts';

const program = '/usr/bin/redis-server';

/** Whether a Redis server is where Debian installs it; without one, its tests are skipped. */
export const hasRedisServer = existsSync(program);

/** An empty server for tests, on a free port of the loopback interface, with a password. */
export interface TestRedis {
  url: string;
  password: string;
  /** Ends it immediately; its data is lost. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-redis-'));
  const port = await freePort();
  const password = 'hidden-word';
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--requirepass',
    password,
  ];
  let server: ChildProcess;
  let unwatch: () => void;

  async function start(): Promise<void> {
    server = spawn(program, [...args, '--save', '', '--appendonly', 'no'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    unwatch = endWithUs(folder, [server.pid]);
    await ready(server);
  }

  async function kill(): Promise<void> {
    unwatch();
    const exited = once(server, 'exit');
    if (server.exitCode === null && server.kill('SIGKILL')) await exited;
  }

  await start();
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    password,
    kill,
    start,
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the server logs that it accepts connections. */
async function ready(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let log = '';
  server.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
    if (log.includes('Ready to accept connections')) resolve();
  });
  server.once('exit', () => reject(new Error(`Redis ended: ${log}`)));
  await promise;
}
