import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ipLimitKey } from '../core/access/ip.ts';
import { limitsFrom, rateLimitField, rateLimitPolicyField } from '../core/access/limits.ts';
import { DocentError } from '../core/errors.ts';
import type { RateLimitState } from '../ports/rate-limiter.ts';
import type { Deps } from '../services/deps.ts';
import { actorOf, clientOf } from './identify.ts';
import { isOperatorRequest } from './operator.ts';

/** A hook for `onRequest`, before all others: every answer of a limited operation says what its limits are. */
export function declareAssistantLimits({ config }: Pick<Deps, 'config'>) {
  const { assistantPerOrganisation, assistantPerIp } = limitsFrom(config.limits);
  const policy = rateLimitPolicyField([assistantPerOrganisation, assistantPerIp]);
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('ratelimit-policy', policy);
  };
}

/**
 * A hook for `onRequest`, after `requireActor`: counts the request. The local operator is not limited.
 */
export function countAssistantRequest(deps: Pick<Deps, 'config' | 'limiter'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isOperatorRequest(request)) await countAnswer(deps, request, reply, actorOf(request).organisationId);
  };
}

/**
 * Counts a request against the limits of its address and of the organisation whose site is asked. The address is counted
 * first, so that one that is past its limit does not use up the organisation's.
 * @throws DocentError `rate_limited`
 */
export async function countAnswer(
  deps: Pick<Deps, 'limiter'> & { config: Pick<Config, 'limits' | 'trustedProxies'> },
  request: FastifyRequest,
  reply: FastifyReply,
  organisationId: string,
): Promise<void> {
  const { assistantPerOrganisation, assistantPerIp } = limitsFrom(deps.config.limits);
  const client = clientOf(deps, request);
  const states: RateLimitState[] = [];
  const consume = async (limit: typeof assistantPerIp, key: string) => {
    const state = await deps.limiter.consume(limit, key);
    states.push(state);
    reply.header('ratelimit', rateLimitField(states));
    if (!state.allowed) throw pastLimit(state);
  };
  if (client) await consume(assistantPerIp, ipLimitKey(client));
  await consume(assistantPerOrganisation, organisationId);
}

/** Ratings of one address in an hour: far more than a reader gives, and few enough that writing them costs nothing. */
const RATINGS_PER_IP = { name: 'ratings-ip', points: 120, windowSeconds: 3600 };

/**
 * Counts a rating that comes without a key against the limit of its address.
 * @throws DocentError `rate_limited`
 */
export async function countRating(
  deps: Pick<Deps, 'limiter'> & { config: Pick<Config, 'trustedProxies'> },
  request: FastifyRequest,
): Promise<void> {
  const client = clientOf(deps, request);
  const state = client && (await deps.limiter.consume(RATINGS_PER_IP, ipLimitKey(client)));
  if (!state || state.allowed) return;
  const detail = `One address may rate ${RATINGS_PER_IP.points} answers in an hour; try again in ${state.resetSeconds} seconds.`;
  throw new DocentError('rate_limited', detail, { retryAfterSeconds: state.resetSeconds });
}

function pastLimit({ limit, resetSeconds }: RateLimitState): DocentError {
  const whose = limit.name === 'assistant-ip' ? 'one address' : 'an organisation';
  const window = limit.windowSeconds === 3600 ? 'an hour' : 'a day';
  return new DocentError(
    'rate_limited',
    `The assistant takes ${limit.points} requests of ${whose} in ${window}; try again in ${resetSeconds} seconds.`,
    {
      retryAfterSeconds: resetSeconds,
    },
  );
}
