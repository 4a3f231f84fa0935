import type { FastifyRequest } from 'fastify';
import { type NamedLimit, pastLimit } from '../../../core/access/limits.ts';
import type { Deps } from '../../../services/deps.ts';
import { countAddress } from '../../rate-limits.ts';

const HOUR_SECONDS = 3600;

const PER_ADDRESS: NamedLimit = {
  name: 'sign-in-ip',
  points: 100,
  windowSeconds: HOUR_SECONDS,
  whose: 'An IP address',
  does: 'make',
  things: 'attempts to sign in',
};
/** Enough for a person who tries to remember a password, and hopeless for a program that guesses. */
const PER_ACCOUNT: NamedLimit = {
  name: 'sign-in-account',
  points: 20,
  windowSeconds: HOUR_SECONDS,
  whose: 'An account',
  does: 'receive',
  things: 'attempts to sign in',
};

const RESETS: NamedLimit = {
  name: 'password-resets',
  points: 5,
  windowSeconds: HOUR_SECONDS,
  whose: 'An account',
  does: 'receive',
  things: 'links to set a password',
};

type LimitDeps = Pick<Deps, 'limiter' | 'config'>;

/** Counts a sign-in attempt by client address. @throws DocentError `rate_limited` */
export async function countTry(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  await countAddress(deps, request, PER_ADDRESS);
}

/** Counts a sign-in attempt by account, whether or not it exists. @throws DocentError `rate_limited` */
export function countAccount(deps: LimitDeps, email: string): Promise<void> {
  return countEmail(deps, PER_ACCOUNT, email);
}

/** Counts a mail by recipient, whether or not they have an account. @throws DocentError `rate_limited` */
export function countReset(deps: LimitDeps, email: string): Promise<void> {
  return countEmail(deps, RESETS, email);
}

async function countEmail({ limiter }: LimitDeps, limit: NamedLimit, email: string): Promise<void> {
  const state = await limiter.consume(limit, email.toLowerCase());
  if (!state.allowed) throw pastLimit(limit, state.resetSeconds);
}
