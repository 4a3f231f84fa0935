import { lapseTime } from '@docent/format/access/hostname-proof.ts';
import { isoDayOf } from '@docent/format/analytics/days.ts';
import { findHostnameClaim } from '../hostnames/claim-hostnames.ts';
import { findInvitationById, invitationToken } from '../invitations/manage-invitations.ts';
import { findSignInWays, findUser } from '../kernel/access/member-queries.ts';
import { findOrganization } from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { quotedName } from '../kernel/quoted-name.ts';
import { findSite } from '../kernel/sites/site-queries.ts';
import type { hostnameMailJob, sendMailJob } from '../ports/jobs.ts';
import type { Mail } from '../ports/mailer.ts';

type MailDeps = Pick<Deps, 'accounts' | 'clock' | 'config' | 'database' | 'mailer' | 'secret'>;

/**
 * Writes and sends the mail of a job. Does nothing if its subject no longer exists, or the address
 * has no account: the requester does not learn which.
 * @throws Error if the mail server does not accept it, so that the queue retries
 */
export async function sendMail(
  deps: MailDeps,
  job: ReturnType<typeof sendMailJob.parse>,
): Promise<void> {
  const mail =
    job.kind === 'invitation'
      ? await invitationMail(deps, job.invitationId)
      : await resetMail(deps, job.email);
  if (mail) await deps.mailer?.send(mail);
}

/**
 * Tells a person about the hostname of a job, unless its state has changed since.
 * @throws Error if the mail server does not accept it, so that the queue retries
 */
export async function sendHostnameMail(
  { database, config, mailer }: Pick<Deps, 'database' | 'config' | 'mailer'>,
  { hostname, siteId, event, email }: ReturnType<typeof hostnameMailJob.parse>,
): Promise<void> {
  const claim = await findHostnameClaim(database.queries, hostname, siteId);
  const site = await findSite(database.queries, siteId);
  const lapsesAt = claim && lapseTime(claim);
  if (!claim || !site || (event === 'missing' ? !lapsesAt : claim.status !== 'failed')) return;
  const organization = await findOrganization(database.queries, site.organizationId);
  const settings = `${config.publicUrl}/dashboard/${organization?.slug}/${site.slug}/settings`;
  const state = lapsesAt
    ? `The DNS records that verify ${hostname} are missing. Unless one of them is set again, the hostname stops working on ${isoDayOf(lapsesAt)}.`
    : `The DNS records that verify ${hostname} have been missing for a week, so the hostname no longer serves the site.`;
  await mailer?.send({
    to: email,
    subject: lapsesAt ? `${hostname} will stop working` : `${hostname} stopped working`,
    text: [
      `${state} It belongs to the site ${quotedName(site.name)}.`,
      'The records to set are in its settings:',
      settings,
    ].join('\n\n'),
  });
}

async function invitationMail(
  { database, clock, config, secret }: MailDeps,
  id: string,
): Promise<Mail | undefined> {
  const invitation = await findInvitationById(database.queries, id, clock.now());
  if (!invitation) return undefined;
  const { email, organization, role, inviter } = invitation;
  const name = quotedName(organization);
  const invited = inviter === null ? 'You are invited' : `${quotedName(inviter)} invites you`;
  return {
    to: email,
    subject: `Join ${name} on Docent`,
    text: [
      `${invited} to work on the documentation of ${name}, with the role "${role}".`,
      `Open this link to join. It works once, until ${isoDayOf(invitation.expiresAt)}:`,
      `${config.publicUrl}/dashboard/invite/${invitationToken(secret, id)}`,
      'If you did not expect this invitation, you can ignore this mail.',
    ].join('\n\n'),
  };
}

async function resetMail(
  { accounts, config, database }: MailDeps,
  email: string,
): Promise<Mail | undefined> {
  const user = await findUser(database.queries, email);
  if (!user) return undefined;
  const { hasPassword } = await findSignInWays(database.queries, user.id);
  const rest = 'If this was not you, you can ignore this mail: nothing has changed.';
  if (!hasPassword) {
    const text = [
      'Someone requested a new password for your account.',
      `It has no password: sign in at ${config.publicUrl}/dashboard with ${config.sso?.name ?? 'your identity provider'}.`,
      rest,
    ];
    return { to: user.email, subject: 'Your account has no password', text: text.join('\n\n') };
  }
  const token = await accounts.createPasswordReset(user.id, { provesAddress: true });
  return {
    to: user.email,
    subject: 'Set a new password',
    text: [
      'Someone requested a new password for your account.',
      'Open this link to set one. It works once, within an hour, and signs you out everywhere:',
      `${config.publicUrl}/dashboard/reset/${token}`,
      rest,
    ].join('\n\n'),
  };
}
