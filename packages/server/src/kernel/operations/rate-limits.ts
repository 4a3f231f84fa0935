import { ipLimitKey } from '@docent/format/access/ip.ts';
import {
  addressLimit,
  HOUR_SECONDS,
  limitsFrom,
  type NamedLimit,
  pastLimit,
  rateLimitField,
  rateLimitPolicyField,
} from '@docent/format/access/limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit, RateLimitState } from '../../ports/rate-limiter.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { clientOf } from '../http/client-of.ts';
import { actorOf, isOperatorRequest } from './identify.ts';

/**
 * What is counted together: questions and everything else of a chat window, or searches and pages.
 */
export type Bucket = 'assistant' | 'search';

export type CountCallDeps = Pick<Deps, 'limiter' | 'accountable'> & {
  config: Pick<Config, 'limits' | 'trustedProxies'>;
};

/**
 * An `onRequest` hook, before all others, that adds the limits of an operation to each of its
 * responses.
 */
export function declareLimits(limits: readonly RateLimit[]) {
  const policy = rateLimitPolicyField(limits);
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('ratelimit-policy', policy);
  };
}

/** Like `declareLimits`, for the limits of a bucket. */
export function declareBucket({ config }: { config: Pick<Config, 'limits'> }, bucket: Bucket) {
  const { perIp, perOrganization } = limitsFrom(config.limits)[bucket];
  return declareLimits([perOrganization, perIp]);
}

/** The remaining limit of an operation that is counted per organization only. */
export function showLimit(reply: FastifyReply): (state: RateLimitState) => void {
  return (state) => reply.header('ratelimit', rateLimitField([state]));
}

/**
 * An `onRequest` hook, after `requireActor`, that counts the request. The local operator is not
 * limited.
 */
export function countRequest(deps: CountCallDeps, bucket: Bucket) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isOperatorRequest(request))
      await countCall(deps, request, reply, bucket, actorOf(request).organizationId);
  };
}

/**
 * Counts a request against the limits of its address and of whoever is accountable for the
 * organization of the requested site. The address is counted first, so that one over its limit does
 * not use up the organization's.
 * @throws DocentError `rate_limited`
 */
export async function countCall(
  deps: CountCallDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: Bucket,
  organizationId: string,
): Promise<void> {
  const { perIp, perOrganization } = limitsFrom(deps.config.limits)[bucket];
  const client = clientOf(deps, request);
  const states: RateLimitState[] = [];
  const consume = async (limit: NamedLimit, key: string) => {
    const state = await deps.limiter.consume(limit, key);
    states.push(state);
    reply.header('ratelimit', rateLimitField(states));
    if (!state.allowed) throw pastLimit(limit, state.resetSeconds);
  };
  if (client) await consume(perIp, ipLimitKey(client));
  await consume(perOrganization, await deps.accountable(organizationId));
}

/**
 * Ratings per address and hour: far more than a reader gives, and few enough that storing them is
 * cheap.
 */
export const RATINGS_PER_IP = addressLimit('ratings', 120, HOUR_SECONDS, 'ratings');

/** Addresses that readers leave, per address and hour. */
export const WAITING_PER_IP = addressLimit('waiting', 10, HOUR_SECONDS, 'e-mail addresses');

/**
 * Counts a request without a key against a limit of its address.
 * @throws DocentError `rate_limited`
 */
export async function countAddress(
  deps: Pick<Deps, 'limiter'> & { config: Pick<Config, 'trustedProxies'> },
  request: FastifyRequest,
  limit: NamedLimit,
): Promise<void> {
  const client = clientOf(deps, request);
  const state = client && (await deps.limiter.consume(limit, ipLimitKey(client)));
  if (state && !state.allowed) throw pastLimit(limit, state.resetSeconds);
}
