import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedisServer, startRedis, type TestRedis } from '../../../../../test/support/redis.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { rateLimiterContract } from '../../ports/rate-limiter.contract.ts';
import { openRedisRateLimiter } from './redis.ts';

const logger = silentLogger;
const hour = { name: 'exact', points: 100, windowSeconds: 3600 };

describe.skipIf(!hasRedisServer)('on a Redis server', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  const open = () => openRedisRateLimiter({ url: server.url, logger });

  rateLimiterContract('Redis', open, () => Promise.all([open(), open()]));

  test('an outage rejects calls within seconds and logs one warning, and counting resumes after it', async () => {
    const warnings: object[] = [];
    const watching = { ...logger, warn: (fields: object) => void warnings.push(fields) };
    const limiter = await openRedisRateLimiter({ url: server.url, logger: watching });
    expect((await limiter.consume(hour, 'away')).remaining).toBe(99);
    await server.kill();
    await expect.poll(() => warnings.length).toBe(1);
    const calls = await Promise.allSettled(
      Array.from({ length: 20 }, () => limiter.consume(hour, 'away')),
    );
    expect(calls.map((call) => call.status === 'rejected' && call.reason)).toEqual(
      calls.map(() =>
        expect.objectContaining({ code: 'dependency_unavailable', retryAfterSeconds: 5 }),
      ),
    );
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain(server.password);
    await server.start();
    // The server lost its counts, and rejected calls are not counted afterward.
    await expect
      .poll(() => limiter.consume(hour, 'away').catch(() => undefined))
      .toMatchObject({ remaining: 99 });
    await limiter.close();
  });

  test('a broken connection does not reject later calls', async () => {
    const limiter = await openRedisRateLimiter({ url: server.url, logger });
    const administrator = new Redis(server.url);
    await administrator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    // By then the client has noticed it; a call in flight would be rejected.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await limiter.consume(hour, 'break')).allowed).toBe(true);
    administrator.disconnect();
    await limiter.close();
  });

  test.each([
    ['unreachable', () => 'redis://:hidden-word@127.0.0.1:1', 'ECONNREFUSED'],
    [
      'refusing the password',
      () => server.url.replace(server.password, 'hidden-other'),
      'WRONGPASS',
    ],
  ])(
    'a server that is %s is reported immediately, without the password',
    async (_, url, reason) => {
      const fault = await openRedisRateLimiter({ url: url(), logger }).then(String, String);
      expect(fault).toContain(reason);
      expect(fault).not.toContain('hidden-');
    },
  );
});
