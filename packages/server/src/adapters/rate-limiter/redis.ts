import { once } from 'node:events';
import { DocentError } from '@docent/format/errors.ts';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from '../../ports/logger.ts';
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts';
import { countWith, hashedKey } from './limit-state.ts';

const connectTimeoutMs = 5_000;
/** How long a call waits for an unavailable server, so that a short outage refuses nobody. */
const patienceMs = 1_500;
const maxPauseMs = 2_000;
const retryAfterSeconds = 5;

/**
 * Counts on a Redis server, so that all processes share exact counts. A window starts with the
 * first call of its key. While the server is unavailable every call is refused: what is limited
 * costs money, or must happen only once.
 * @param url `redis://` or `rediss://`, including the password
 * @throws Error if the server cannot be used now
 */
export async function openRedisRateLimiter({
  url,
  logger,
}: {
  url: string;
  logger: Logger;
}): Promise<RateLimiter> {
  const redis = await connect(url, logger);
  const create = ({ name, points, windowSeconds }: RateLimit) =>
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `docent/${name}/${windowSeconds}`,
      points,
      duration: windowSeconds,
    });
  const counted = countWith(create);
  const untilReady = waitOf(redis);
  const whenReady =
    <Result>(call: (limit: RateLimit, key: string) => Promise<Result>) =>
    async (limit: RateLimit, key: string): Promise<Result> => {
      try {
        if (redis.status !== 'ready') await untilReady();
        return await call(limit, hashedKey(key));
      } catch (cause) {
        const detail = 'Rate limits cannot be checked now, so requests are refused; try again.';
        throw new DocentError('dependency_unavailable', detail, {
          retryAfterSeconds,
          dependency: 'redis',
          cause,
        });
      }
    };
  return {
    consume: whenReady(counted.consume),
    peek: whenReady(counted.peek),
    clear: whenReady(counted.clear),
    ping: async () => (await redis.ping()) === 'PONG',
    version: async () => versionIn(await redis.info('server')),
    close: async () => redis.disconnect(),
  };
}

/** Valkey also names the version of Redis that it is compatible with. */
function versionIn(info: string): string {
  const field = (name: string) => new RegExp(`^${name}:([\\w.+-]{1,50})`, 'm').exec(info)?.[1];
  const valkey = field('valkey_version');
  return valkey === undefined
    ? `Redis ${field('redis_version') ?? 'of an unknown version'}`
    : `Valkey ${valkey}`;
}

/** All callers that wait for the server share one wait. */
function waitOf(redis: Redis): () => Promise<unknown> {
  let waiting: Promise<unknown> | undefined;
  return () => {
    waiting ??= once(redis, 'ready', { signal: AbortSignal.timeout(patienceMs) }).finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}

async function connect(url: string, logger: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: patienceMs,
    // Queued calls are counted later, although their callers were refused long ago.
    enableOfflineQueue: false,
    // A call whose answer was lost may have been counted; it is refused rather than counted twice.
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(times * 100, maxPauseMs),
  });
  let fault = new Error('it does not respond');
  let isAway = false;
  redis.on('error', (error: Error) => {
    fault = error;
    // Log once per outage, not once per attempt.
    if (!isAway)
      logger.warn(
        { error: error.message },
        'the Redis server is unreachable; rate-limited requests are refused',
      );
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) logger.info({}, 'the Redis server is reachable again');
    isAway = false;
  });
  try {
    await redis.connect();
    await redis.ping();
    return redis;
  } catch (error) {
    redis.disconnect();
    // The connection's own error is clearer than "closed".
    throw error instanceof Error && error.message.startsWith('Connection is closed')
      ? fault
      : error;
  }
}
