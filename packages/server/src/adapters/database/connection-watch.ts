import type { Socket } from 'node:net';
import type pg from 'pg';
import { inTime } from '../../lib/in-time.ts';
import type { Logger } from '../../ports/logger.ts';

export interface WatchTimes {
  /** How often the connections are checked. */
  sweepMs: number;
  /** A connection that takes longer to answer a ping is mute. */
  pingMs: number;
  /** A new connection that takes longer to answer does not work. */
  freshMs: number;
  /** When others are mute: a connection that has sent nothing for this long is, too. */
  silentMs: number;
  /** A query may take this long until the first byte of its answer. */
  queryMs: number;
  /**
   * How long the pool may be unusable, although new connections work, until the process is to be
   * restarted.
   */
  stuckMs: number;
}

export const usualTimes: WatchTimes = {
  sweepMs: 5_000,
  pingMs: 3_000,
  freshMs: 10_000,
  silentMs: 20_000,
  queryMs: 60_000,
  stuckMs: 60_000,
};

/** What a connection in use has received so far, and since when nothing more. */
interface Received {
  bytes: number;
  at: number;
}

/** Looks after the connections of a pool. */
export interface ConnectionWatch {
  /**
   * Whether the pool has been unusable for a while although new connections work, so that only a
   * restart helps.
   */
  isStuck(): boolean;
  /** Runs work that may take any time, such as a migration. */
  unwatched<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Closes every connection without waiting for its server. */
  destroyAll(): void;
  stop(): void;
}

/**
 * Closes connections that a server no longer answers. After a failover or behind a firewall a
 * connection may be gone without a reset: nothing reports it, and every query on it would wait for
 * ever. Closing it fails the query; the next gets a new one.
 * @param connect opens a connection outside the pool, which the caller ends
 */
export function watchConnections(
  pool: pg.Pool,
  {
    connect,
    logger,
    times,
  }: { connect: () => Promise<pg.Client>; logger: Logger; times: WatchTimes },
): ConnectionWatch {
  const all = new Set<pg.PoolClient>();
  const inUse = new Map<pg.PoolClient, Received>();
  /** Those that were open when another was found mute, and have sent nothing since. */
  const suspects = new Set<pg.PoolClient>();
  let unwatched = 0;
  let stuckSince: number | undefined;
  pool.on('remove', (client) => {
    all.delete(client);
    suspects.delete(client);
  });
  pool.on('acquire', (client) => {
    all.add(client);
    inUse.set(client, { bytes: socketOf(client).bytesRead, at: performance.now() });
  });
  pool.on('release', (_error, client) => inUse.delete(client));

  function destroy(client: pg.PoolClient, reason: string): void {
    logger.warn({ reason }, 'A connection to the database is closed.');
    socketOf(client).destroy();
  }

  /** Returns whether an idle connection answers; one that does not is closed. */
  async function isIdleAnswering(): Promise<boolean> {
    const client = await pool.connect().catch(() => undefined);
    if (!client) return true;
    const isAnswered = await inTime(answers(client), times.pingMs, () => false);
    if (!isAnswered) destroy(client, 'It did not answer a ping.');
    client.release(!isAnswered);
    return isAnswered;
  }

  /** Returns the connections in use that have sent nothing for so long. */
  function silentFor(milliseconds: number): pg.PoolClient[] {
    const now = performance.now();
    return [...inUse].filter(([, { at }]) => now - at > milliseconds).map(([client]) => client);
  }

  function listen(): void {
    for (const [client, received] of inUse) {
      const bytes = socketOf(client).bytesRead;
      if (bytes === received.bytes) continue;
      inUse.set(client, { bytes, at: performance.now() });
      suspects.delete(client);
    }
  }

  async function doesFreshWork(): Promise<boolean> {
    const fresh = connect().then(async (client) => {
      const isAnswered = await answers(client);
      await client.end();
      return isAnswered;
    });
    return inTime(
      fresh.catch(() => false),
      times.freshMs,
      () => false,
    );
  }

  function isPoolAnswering(): Promise<boolean> {
    const answer = pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return inTime(answer, times.pingMs, () => false);
  }

  async function sweep(): Promise<void> {
    listen();
    for (const client of silentFor(times.queryMs)) destroy(client, 'A query took too long.');
    const isMute = pool.idleCount > 0 && !(await isIdleAnswering());
    const isUsable = !isMute && (await isPoolAnswering());
    const wouldRestartHelp = !isUsable && (await doesFreshWork());
    if (wouldRestartHelp) stuckSince ??= performance.now();
    else stuckSince = undefined;
    if (isMute || wouldRestartHelp) {
      for (const client of all) suspects.add(client);
      await Promise.all(Array.from({ length: pool.idleCount }, isIdleAnswering));
    }
    for (const client of silentFor(times.silentMs))
      if (suspects.has(client)) destroy(client, 'It is silent, as others are.');
  }

  let isSweeping = false;
  const timer = setInterval(async () => {
    if (isSweeping || unwatched > 0 || pool.ending) return;
    isSweeping = true;
    await sweep().catch((error: unknown) =>
      logger.warn({ reason: String(error) }, 'The connections could not be checked.'),
    );
    isSweeping = false;
  }, times.sweepMs);
  timer.unref();

  return {
    isStuck: () => stuckSince !== undefined && performance.now() - stuckSince > times.stuckMs,
    async unwatched(work) {
      unwatched += 1;
      try {
        return await work();
      } finally {
        unwatched -= 1;
      }
    },
    destroyAll: () => {
      for (const client of all) socketOf(client).destroy();
    },
    stop: () => clearInterval(timer),
  };
}

/** The client's types leave out its socket. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function answers(client: pg.ClientBase): Promise<boolean> {
  return client.query('SELECT 1').then(
    () => true,
    () => false,
  );
}
