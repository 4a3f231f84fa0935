import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { formatIp } from '../core/access/ip.ts';
import type { AccountRequest } from '../ports/accounts.ts';
import type { Deps } from '../services/deps.ts';
import { clientOf } from './client-of.ts';

/** What the accounts need to know of a request. */
export function accountRequestOf(deps: { config: Pick<Config, 'trustedProxies'> }, request: FastifyRequest): AccountRequest {
  const client = clientOf(deps, request);
  return {
    cookie: request.headers.cookie,
    userAgent: request.headers['user-agent'],
    address: client && formatIp(client),
  };
}

/** The session that a request's cookies hold. Renewed cookies are set on the reply. */
export async function findSession(
  { accounts, config }: Pick<Deps, 'accounts' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // The library need not be asked for requests without a session, which most are.
  if (!request.headers.cookie?.includes(`${accounts.cookieName}=`)) return undefined;
  const session = await accounts.findSession(accountRequestOf({ config }, request));
  if (session) setCookies(reply, session.cookies);
  return session;
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}
