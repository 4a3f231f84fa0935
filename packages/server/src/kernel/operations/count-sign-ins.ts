import { ipLimitKey } from '@docent/format/access/ip.ts';
import { HOUR_SECONDS, type NamedLimit, pastLimit } from '@docent/format/access/limits.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyRequest } from 'fastify';
import { findCountStart } from '../access/member-queries.ts';
import type { Deps } from '../deps.ts';
import { requirePlatformOrigin } from '../http/browser-origins.ts';
import { clientOf } from '../http/client-of.ts';
import { countAddress } from './rate-limits.ts';

type LimitDeps = Pick<Deps, 'limiter' | 'config'>;

const hour = { windowSeconds: HOUR_SECONDS, does: 'make' } as const;
const SIGN_INS_PER_ADDRESS: NamedLimit = {
  ...hour,
  name: 'sign-in-ip',
  points: 100,
  whose: 'An IP address',
  things: 'attempts to sign in',
};
/**
 * Enough for a person who tries to remember a password, and hopeless for a program that guesses.
 */
const FAILURES_OF_SENDER: NamedLimit = {
  ...hour,
  name: 'sign-in-failures',
  points: 20,
  whose: 'An IP address or a browser',
  things: 'failed attempts to sign in to an account',
};
/**
 * After that many failures from everywhere, strangers get fewer tries each, and nobody is locked
 * out.
 */
const FAILURES_OF_ACCOUNT: NamedLimit = {
  ...hour,
  name: 'sign-in-failures-account',
  points: 100,
  whose: 'An account',
  things: 'failed attempts to sign in',
};
const FAILURES_DURING_ATTACK: NamedLimit = {
  ...FAILURES_OF_SENDER,
  name: 'sign-in-failures-attack',
  points: 3,
};
const CONFIRMATIONS: NamedLimit = {
  ...hour,
  name: 'password-confirmations',
  points: 10,
  whose: 'A session',
  things: 'requests that confirm the password',
};
const RESETS_PER_ACCOUNT: NamedLimit = {
  ...hour,
  name: 'password-resets',
  points: 5,
  whose: 'An account',
  does: 'receive',
  things: 'links to set a password',
};

const EMAIL_CHANGES: NamedLimit = {
  ...hour,
  name: 'email-changes',
  points: 5,
  whose: 'An account',
  does: 'request',
  things: 'changes of its email address',
};

/** Counts a sign-in attempt by client address. @throws DocentError `rate_limited` */
export function countTry(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  return countAddress(deps, request, SIGN_INS_PER_ADDRESS);
}

/**
 * The same for an attempt that only pages of the platform may make. @throws DocentError
 * `foreign_origin`, `rate_limited`
 */
export async function countPlatformTry(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  requirePlatformOrigin(deps.config, request);
  await countTry(deps, request);
}

/**
 * Counts a request for a link by email address, whether or not it has an account. @throws
 * DocentError `rate_limited`
 */
export async function countReset({ limiter }: LimitDeps, email: string): Promise<void> {
  await consume(limiter, RESETS_PER_ACCOUNT, email.toLowerCase());
}

/** Counts a change of the email address that a person requests. @throws DocentError `rate_limited` */
export async function countEmailChange({ limiter }: LimitDeps, userId: string): Promise<void> {
  await consume(limiter, EMAIL_CHANGES, userId);
}

/**
 * Counts a password that a signed-in person enters, by session. @throws DocentError `rate_limited`
 */
export async function countConfirmation(
  { limiter }: LimitDeps,
  session: { sessionId: string; user: { id: string } },
) {
  await consume(limiter, CONFIRMATIONS, `${session.user.id} ${session.sessionId}`);
}

/**
 * Checks a password, and counts if it is wrong: for the account together with the network that
 * sends it, or with the browser if that signed in to the account before. So nobody can use up the
 * tries of somebody else. Addresses without an account are counted alike.
 * @throws DocentError `rate_limited`, and what `check` throws
 */
export async function countingFailures<Result>(
  deps: Pick<Deps, 'limiter' | 'config' | 'database' | 'accounts'>,
  request: FastifyRequest,
  email: string,
  check: () => Promise<Result>,
): Promise<Result> {
  const { limiter, accounts, database } = deps;
  const countedFrom = await findCountStart(database.queries, email);
  const account = `${email.toLowerCase()} ${countedFrom?.getTime() ?? ''}`;
  const device = accounts.findDevice(request.headers.cookie, email);
  const client = clientOf(deps, request);
  const sender =
    device === undefined ? `network ${client ? ipLimitKey(client) : ''}` : `device ${device}`;
  const isAttacked =
    device === undefined && !(await limiter.peek(FAILURES_OF_ACCOUNT, account)).allowed;
  const limit = isAttacked ? FAILURES_DURING_ATTACK : FAILURES_OF_SENDER;
  const key = `${account} ${sender}`;
  // Counted first, so that concurrent attempts cannot exceed the limit.
  await consume(limiter, limit, key);
  try {
    const result = await check();
    await limiter.clear(limit, key);
    return result;
  } catch (error) {
    if (error instanceof DocentError && error.code === 'wrong_credentials')
      await limiter.consume(FAILURES_OF_ACCOUNT, account);
    throw error;
  }
}

async function consume(limiter: Deps['limiter'], limit: NamedLimit, key: string): Promise<void> {
  const state = await limiter.consume(limit, key);
  if (!state.allowed) throw pastLimit(limit, state.resetSeconds);
}
