import { DocentError } from '@docent/format/errors.ts';
import { findUser } from '../kernel/access/member-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { countEmailChange } from '../kernel/operations/count-sign-ins.ts';
import { quotedName } from '../kernel/quoted-name.ts';
import type { AccountUser } from '../ports/accounts.ts';
import { emailChangeMailJob } from '../ports/jobs.ts';
import type { Mail } from '../ports/mailer.ts';

/**
 * Sends a link to the address that a person wants to sign in with, and a notice to the present one.
 * Nothing changes until the link is opened. Whether the new address has an account is looked up
 * later, so that the response does not reveal it.
 * @throws DocentError `invalid_request` if the server sends no mail, or it is their address already;
 *   `rate_limited`
 */
export async function requestEmailChange(
  deps: Pick<Deps, 'config' | 'database' | 'jobs' | 'limiter'>,
  userId: string,
  newEmail: string,
): Promise<void> {
  const former = (await findUser(deps.database.queries, userId))?.email ?? '';
  const email = newEmail.toLowerCase();
  if (!deps.config.mail)
    throw new DocentError(
      'invalid_request',
      `This server sends no mail, so it cannot confirm an address; ask its operator to change yours: docent users email ${former} ${email}`,
    );
  if (email === former)
    throw new DocentError('invalid_request', `Your email address is ${email} already.`);
  await countEmailChange(deps, userId);
  for (const event of ['confirm', 'requested'] as const)
    await deps.jobs.enqueue(emailChangeMailJob, { event, userId, former, email });
}

/**
 * Changes the address of an account with the token of a mailed link, and tells the former address.
 * @returns the account
 * @throws DocentError `link_refused`, `account_exists`
 */
export async function confirmEmailChange(
  { accounts, jobs }: Pick<Deps, 'accounts' | 'jobs'>,
  token: string,
): Promise<{ user: AccountUser; cookies: string[] }> {
  const { user, email, cookies } = await accounts.confirmEmailChange(token);
  await jobs.enqueue(emailChangeMailJob, {
    event: 'changed',
    userId: user.id,
    former: user.email,
    email,
  });
  return { user: { ...user, email }, cookies };
}

/**
 * Writes and sends the mail of a job, unless the address of the account has changed since.
 * @throws Error if the mail server does not accept it, so that the queue retries
 */
export async function sendEmailChangeMail(
  deps: Pick<Deps, 'accounts' | 'config' | 'database' | 'mailer'>,
  job: ReturnType<typeof emailChangeMailJob.parse>,
): Promise<void> {
  const user = await findUser(deps.database.queries, job.userId);
  if (user?.email !== (job.event === 'changed' ? job.email : job.former)) return;
  await deps.mailer?.send(await mailOf(deps, job));
}

async function mailOf(
  { accounts, config, database }: Pick<Deps, 'accounts' | 'config' | 'database'>,
  { event, userId, former, email }: ReturnType<typeof emailChangeMailJob.parse>,
): Promise<Mail> {
  const dashboard = `${config.publicUrl}/dashboard`;
  const write = (to: string, subject: string, ...paragraphs: string[]): Mail => ({
    to,
    subject,
    text: paragraphs.join('\n\n'),
  });
  if (event === 'requested')
    return write(
      former,
      'A change of your email address was requested',
      `Someone who is signed in to your account wants it to have the address ${quotedName(email)} instead of this one. That happens once they open the link that we sent there.`,
      'If this was not you, set a new password now: that makes the link void, and ends all sessions.',
      `${dashboard}/reset`,
    );
  if (event === 'changed')
    return write(
      former,
      'Your email address was changed',
      `Your account now has the address ${quotedName(email)}; you no longer sign in with this one.`,
      'If this was not you, tell the operator of the server, who can change it back and end all sessions:',
      dashboard,
    );
  if (await findUser(database.queries, email))
    return write(
      email,
      'This address has an account already',
      `Someone wants to sign in to another account, ${quotedName(former)}, with this address. It has an account already, so nothing has changed.`,
      `If this was you, sign in with it, or set a new password for it: ${dashboard}/reset`,
    );
  return write(
    email,
    'Confirm your email address',
    `The account ${quotedName(former)} is to have this address from now on.`,
    'Open this link to confirm it. It works once, within an hour:',
    `${dashboard}/email/${await accounts.createEmailChange(userId, email)}`,
    'If this was not you, you can ignore this mail: nothing has changed.',
  );
}
