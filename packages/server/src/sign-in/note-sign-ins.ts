import type { FastifyRequest } from 'fastify';
import { findUser } from '../kernel/access/member-queries.ts';
import { findPasskeyOwner } from '../kernel/access/second-factor-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { forgetAccountChange, noteAccountChange } from '../kernel/operations/identify.ts';
import type { AccountAnswer } from '../ports/accounts.ts';

type NoteDeps = Pick<Deps, 'accounts' | 'database'>;

/**
 * Says whose account a sign-in is for; without either, it is that whose sign-in waits for a code.
 */
interface SignInClaim {
  /** Address that was entered. */
  email: string | undefined;
  /** Identifier of the key that an authenticator used. */
  credentialId: string | undefined;
}

async function claimedUser(
  { accounts, database }: NoteDeps,
  { headers }: FastifyRequest,
  { email, credentialId }: SignInClaim,
): Promise<string | undefined> {
  if (credentialId !== undefined) return findPasskeyOwner(database.queries, credentialId);
  if (email !== undefined) return (await findUser(database.queries, email))?.id;
  return accounts.findPending(headers.cookie);
}

/**
 * Performs a step of a sign-in, and sets the account for its audit logs, whether it succeeds or
 * not.
 * @param step its name there, and whose account it is
 */
export async function notingSignIn(
  deps: NoteDeps,
  request: FastifyRequest,
  { action, ...claim }: { action: string } & SignInClaim,
  perform: () => Promise<AccountAnswer>,
): Promise<AccountAnswer> {
  const userId = await claimedUser(deps, request, claim);
  if (userId === undefined) return perform();
  noteAccountChange(request, userId, action, true);
  const answer = await perform();
  if ((answer.body as { twoFactorRedirect?: boolean }).twoFactorRedirect)
    forgetAccountChange(request);
  else noteAccountChange(request, userId, action);
  return answer;
}

/** Sets the account of a session that a response begins, for its audit logs. */
export async function noteBegunSession(
  { accounts }: NoteDeps,
  request: FastifyRequest,
  { cookies }: AccountAnswer,
  action: string,
): Promise<void> {
  const cookie = cookies.map((setCookie) => setCookie.split(';')[0]).join('; ');
  const begun = await accounts.findSession({ cookie });
  if (begun) noteAccountChange(request, begun.user.id, action);
}
