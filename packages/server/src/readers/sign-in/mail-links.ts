import { randomUUID } from 'node:crypto';
import type { Deps } from '../../kernel/deps.ts';
import { hashSecret } from '../../kernel/ids.ts';
import { quotedName } from '../../kernel/quoted-name.ts';
import { openSecret, sealSecret } from '../../kernel/sealed-secrets.ts';
import { publicUrlOf } from '../../kernel/sites/site-address.ts';
import { findSite } from '../../kernel/sites/site-queries.ts';
import type { readerMailJob } from '../../ports/jobs.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { findAccess } from '../access/access-rows.ts';
import { groupsOfAddresses } from '../sessions/site-readers.ts';
import { useProof } from './proof-rows.ts';

type MailDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'secret'>;

/** What a link says that signs a reader in. */
interface Link {
  id: string;
  siteId: string;
  generation: string;
  email: string;
  /** Path of the site to continue to. */
  redirect: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export const MAIL_LINK_PATH = 'login/mail-link';
const LINK_MINUTES = 15;

/**
 * Writes to a reader: a link that signs them in, or where the site is that invites them. Does
 * nothing for an address that may not read the site, so whoever requested it does not learn that.
 * @throws Error if the mail server does not accept it, so that the queue retries
 */
export async function sendReaderMail(
  deps: MailDeps & Pick<Deps, 'mailer'>,
  job: ReturnType<typeof readerMailJob.parse>,
): Promise<void> {
  const { queries } = deps.database;
  const { siteId, email } = job;
  const site = await findSite(queries, siteId);
  const { mail } = (await findAccess(queries, siteId)).methods;
  if (!site || !mail || !(await groupsOfAddresses(queries, siteId, [email])).has(email)) return;
  const url = publicUrlOf(site, deps.config);
  const name = quotedName(site.name);
  const ignore = 'If you did not expect this mail, you can ignore it.';
  if (job.kind === 'invitation')
    return deps.mailer?.send({
      to: email,
      subject: `You can read ${name}`,
      text: [
        `You are invited to read ${name}. Sign in there with this email address:`,
        `${url}/login`,
        ignore,
      ].join('\n\n'),
    });
  const expiresAt = deps.clock.now().getTime() + LINK_MINUTES * 60_000;
  const { generation } = mail;
  const link: Link = {
    id: randomUUID(),
    siteId,
    generation,
    email,
    redirect: job.redirect,
    expiresAt,
  };
  const token = sealSecret(deps.secret, 'mail links of readers', JSON.stringify(link));
  await deps.mailer?.send({
    to: email,
    subject: `Sign in to ${name}`,
    text: [
      `Open this link to sign in to ${name}. It works once, within ${LINK_MINUTES} minutes:`,
      `${url}/${MAIL_LINK_PATH}?${new URLSearchParams({ token })}`,
      ignore,
    ].join('\n\n'),
  });
}

/**
 * Returns the sign-in of a reader with a link, and where it leads; undefined if the link is not for
 * this site, has expired or was used, or the reader is no longer invited.
 */
export async function mailSignIn(
  { database, clock, secret }: MailDeps,
  siteId: string,
  { mail }: StoredMethods,
  token: string,
): Promise<{ signIn: SignIn; redirect: string } | undefined> {
  const text = openSecret(secret, 'mail links of readers', token);
  if (text === undefined || !mail) return undefined;
  const { id, generation, email, redirect, ...link } = JSON.parse(text) as Link;
  const isValid =
    link.siteId === siteId &&
    generation === mail.generation &&
    link.expiresAt > clock.now().getTime();
  if (!isValid || !(await groupsOfAddresses(database.queries, siteId, [email])).has(email))
    return undefined;
  const proof = hashSecret(`${siteId} ${id}`);
  if (!(await useProof(database.queries, proof, new Date(link.expiresAt)))) return undefined;
  const reader = { id: `mail:${email}`, groups: [], content: { email }, apiPlaygroundInputs: {} };
  return { signIn: { method: 'mail', generation, reader, name: email }, redirect };
}
