import { setTimeout as wait } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { until } from '../../test/support/http.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { startRedis } from '../../test/support/redis.ts';
import { startNginx } from '../../test/support/reverse-proxies.ts';
import { startS3 } from '../../test/support/s3.ts';
import { freePort, type RunningDocent, startDocent } from '../../test/support/start-docent.ts';

const LIMITS = [
  'PUBLISHES_PER_ORGANIZATION_HOUR',
  'EXPORTS_PER_ORGANIZATION_HOUR',
  'KEYS_PER_ORGANIZATION_HOUR',
  'SEARCH_PER_IP_HOUR',
  'SEARCH_PER_ORGANIZATION_HOUR',
  'ASSISTANT_PER_IP_DAY',
  'ASSISTANT_PER_ORGANIZATION_HOUR',
];

/** Processes behind nginx that share PostgreSQL, a bucket and Redis. */
export interface Fleet {
  /** The first process as its clients see it: through nginx. */
  docent: RunningDocent & { setupUrl?: string };
  /** Settings of the processes, for commands of the operator. */
  env: Record<string, string>;
  count: number;
  /** When a process was killed last, as `performance.now()`. */
  killedAt: number;
  outages: Record<'PostgreSQL' | 'Redis' | 'S3', (seconds: number) => Promise<void>>;
  /** Ends a process in order, or by `kill -9`, and starts it again at the same port. */
  restart(index: number, how: 'stop' | 'kill'): Promise<void>;
  /** Returns what the processes have logged as errors. */
  errors(): string[];
  /** Resolves when every process reports that it is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFleet(count: number): Promise<Fleet> {
  const [database, redis, store] = await Promise.all([startPostgres(), startRedis(), startS3()]);
  const network = await startFaultProxy(store.endpoint);
  const { bucket, credentials } = await store.createBucket();
  const entrance = await freePort();
  const ports: number[] = [];
  for (let index = 0; index < count; index++) ports.push(await freePort());
  const nginx = await startNginx(balance(entrance, ports), [entrance]);
  const env: Record<string, string> = {
    DOCENT_PUBLIC_URL: `http://localhost:${entrance}`,
    DOCENT_TRUSTED_PROXIES: '1',
    DOCENT_SECRET: 'a-secret-that-is-only-for-this-drill',
    DOCENT_DATABASE: 'postgres',
    DOCENT_DATABASE_URL: await database.createDatabase(),
    DOCENT_LIMITER: 'redis',
    DOCENT_REDIS_URL: redis.url,
    DOCENT_BLOBS: 's3',
    DOCENT_S3_BUCKET: bucket,
    DOCENT_S3_ENDPOINT: network.url,
    DOCENT_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    DOCENT_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...Object.fromEntries(LIMITS.map((name) => [`DOCENT_LIMIT_${name}`, '1000000'])),
  };
  const processes: RunningDocent[] = [];
  const ended: RunningDocent[] = [];
  for (const port of ports) processes.push(await startDocent({ env, port }));
  const fleet: Fleet = {
    docent: { ...(processes[0] as RunningDocent), port: entrance },
    env,
    count,
    killedAt: Number.NEGATIVE_INFINITY,
    outages: {
      PostgreSQL: (seconds) => database.crash(() => wait(seconds * 1000)),
      Redis: async (seconds) => {
        await redis.kill();
        await wait(seconds * 1000);
        await redis.start();
      },
      S3: (seconds) => away(network, seconds),
    },
    async restart(index, how) {
      const former = processes[index] as RunningDocent;
      const { dataFolder, port } = former;
      ended.push(former);
      // What comes until it has ended may reach the dying process.
      if (how === 'kill') fleet.killedAt = Number.POSITIVE_INFINITY;
      await former[how]();
      if (how === 'kill') fleet.killedAt = performance.now();
      processes[index] = await startDocent({ env, port, dataFolder, isBasic: true });
    },
    errors: () =>
      [...ended, ...processes].flatMap(({ log }) =>
        log()
          .split('\n')
          .filter((line) => line.includes('"level":"error"')),
      ),
    async ready() {
      for (const port of ports)
        await until(async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
          return answer?.ok || undefined;
        });
    },
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
      await Promise.all([
        nginx.stop(),
        network.close(),
        redis.stop(),
        store.stop(),
        database.stop(),
      ]);
    },
  };
  return fleet;
}

async function away(network: FaultProxy, seconds: number): Promise<void> {
  network.onRequest(() => 'refuse');
  await wait(seconds * 1000);
  network.onRequest(() => 'none');
}

/**
 * A request goes to the next process only if the first one has not received it, as with any load
 * balancer.
 */
function balance(entrance: number, ports: readonly number[]): string {
  const servers = ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ');
  return `client_max_body_size 200m;
upstream processes { ${servers} }
server {
  listen 127.0.0.1:${entrance};
  location / {
    proxy_pass http://processes;
    proxy_buffering off;
    proxy_read_timeout 120s;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
  }
}`;
}
