import type { FastifyRequest } from 'fastify';
import { findUser } from '../../../db/members.ts';
import type { AccountAnswer } from '../../../ports/accounts.ts';
import type { Deps } from '../../../services/deps.ts';
import { forgetAccountChange, noteAccountChange } from '../../identify.ts';

type NoteDeps = Pick<Deps, 'accounts' | 'database'>;

/**
 * Performs a step of a sign-in, and sets the account for its audit logs, whether it succeeds or not.
 * @param action its name there
 * @param email address that was entered; without one, the account is that whose sign-in waits for a code
 */
export async function notingSignIn(
  { accounts, database }: NoteDeps,
  request: FastifyRequest,
  { action, email }: { action: string; email: string | undefined },
  perform: () => Promise<AccountAnswer>,
): Promise<AccountAnswer> {
  const { cookie } = request.headers;
  const userId = email === undefined ? await accounts.findPending(cookie) : (await findUser(database.queries, email))?.id;
  if (userId === undefined) return perform();
  noteAccountChange(request, userId, action, true);
  const answer = await perform();
  if ((answer.body as { twoFactorRedirect?: boolean }).twoFactorRedirect) forgetAccountChange(request);
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
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  const begun = await accounts.findSession({ cookie });
  if (begun) noteAccountChange(request, begun.user.id, action);
}
