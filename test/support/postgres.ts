import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { endWithUs } from './end-with-us.ts';
import { freePort } from './start-docent.ts';

/**
 * Folder of a PostgreSQL server's programs, where Debian installs them; without one, its tests are
 * skipped.
 */
export const postgresBin = findPostgres();

/** An empty server for tests, on a free port of the loopback interface. */
export interface TestPostgres {
  /** Creates an empty database and returns its address. */
  createDatabase(): Promise<string>;
  /**
   * Ends the server immediately, like a crash, and starts it again on the same data and port once
   * `whileDown` resolves.
   */
  crash(whileDown: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

function findPostgres(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(base, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** The server refuses to run as root, so it runs as the user that its package creates. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

let pristine: Promise<string> | undefined;

/** Creates the data of an empty server, which the servers of this worker copy: half the CPU time. */
async function initialize(bin: string, user: ReturnType<typeof unprivileged>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-initdb-'));
  endWithUs(folder, []);
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const args = ['-D', data, '-U', 'docent', '--auth=trust', '--no-sync', '-E', 'UTF8'];
  const { status, stderr } = spawnSync(join(bin, 'initdb'), args, {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  return data;
}

export async function startPostgres(): Promise<TestPostgres> {
  const bin = postgresBin as string;
  const folder = await mkdtemp(join(tmpdir(), 'docent-postgres-'));
  const user = unprivileged();
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  pristine ??= initialize(bin, user).catch((error: unknown) => {
    pristine = undefined;
    throw error;
  });
  const copied = spawnSync('cp', ['-a', await pristine, data], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`cp failed: ${copied.stderr}`);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=60',
  ];
  const run = async () => {
    const server = spawn(
      join(bin, 'postgres'),
      ['-D', data, ...settings.flatMap((one) => ['-c', one])],
      {
        ...user,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    await ready(server);
    return server;
  };
  let server = await run();
  const killWithUs = () => server.kill('SIGKILL');
  process.once('exit', killWithUs);
  let count = 0;
  const addressOf = (name: string) => `postgres://docent@127.0.0.1:${port}/${name}`;
  return {
    async createDatabase() {
      count += 1;
      const client = new pg.Client(addressOf('postgres'));
      await client.connect();
      await client.query(`CREATE DATABASE test_${count}`);
      await client.end();
      return addressOf(`test_${count}`);
    },
    async crash(whileDown) {
      const exited = once(server, 'exit');
      server.kill('SIGQUIT');
      await exited;
      await whileDown();
      server = await run();
    },
    async stop() {
      process.off('exit', killWithUs);
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the server logs that it accepts connections. */
async function ready(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
    if (log.includes('ready to accept connections')) resolve();
  });
  server.once('exit', () => reject(new Error(`PostgreSQL ended: ${log}`)));
  await promise;
}
