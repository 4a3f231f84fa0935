import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { formatIp } from '../core/access/ip.ts';
import { isSessionKept } from '../db/members.ts';
import type { AccountAnswer, AccountRequest, AccountUser } from '../ports/accounts.ts';
import type { Deps } from '../services/deps.ts';
import { clientOf } from './client-of.ts';

/** The parts of a request that the accounts adapter needs. */
export function accountRequestOf(deps: { config: Pick<Config, 'trustedProxies'> }, request: FastifyRequest): AccountRequest {
  const client = clientOf(deps, request);
  return {
    cookie: request.headers.cookie,
    userAgent: request.headers['user-agent'],
    address: client && formatIp(client),
  };
}

/** Returns the session of a request's cookies. Sets renewed cookies on the reply. */
export async function findSession(
  { accounts, config }: Pick<Deps, 'accounts' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // Most requests have no session; skip the library for them.
  if (!request.headers.cookie?.includes(`${accounts.cookieName}=`)) return undefined;
  const session = await accounts.findSession(accountRequestOf({ config }, request));
  if (session) setCookies(reply, session.cookies);
  return session;
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

/** Returns the signed-in person of a request: one whose session has not been revoked in the meantime. */
export async function findSignedIn(
  deps: Pick<Deps, 'accounts' | 'config' | 'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AccountUser | undefined> {
  const session = await findSession(deps, request, reply);
  return session && (await isSessionKept(deps.database.queries, session.sessionId)) ? session.user : undefined;
}

/** Signs a person in whose password was just set. @returns the response of the accounts adapter */
export async function startSession(
  deps: Pick<Deps, 'accounts' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  body: { email: string; password: string },
): Promise<AccountAnswer> {
  const begun = await deps.accounts.perform({
    ...accountRequestOf(deps, request),
    method: 'POST',
    path: '/sign-in/email',
    body,
  });
  setCookies(reply, begun.cookies);
  return begun;
}
