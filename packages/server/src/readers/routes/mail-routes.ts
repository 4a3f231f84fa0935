import { ipLimitKey } from '@docent/format/access/ip.ts';
import { mailLinkPage, mailSentPage } from '@docent/theme/plain-page.ts';
import type { Deps } from '../../kernel/deps.ts';
import { clientOf } from '../../kernel/http/client-of.ts';
import { formOf } from '../../kernel/http/forms.ts';
import { emailAddress } from '../../kernel/operations/fields.ts';
import { readerMailJob } from '../../ports/jobs.ts';
import { MAIL_LINK_PATH, mailSignIn } from '../sign-in/mail-links.ts';
import { admit, type SessionDeps } from './admit.ts';
import { baseOf, redirectIn, sendForm, sendPage } from './sign-in-pages.ts';
import type { Handle } from './sign-in-ways.ts';

type MailDeps = SessionDeps & Pick<Deps, 'database' | 'limiter' | 'jobs' | 'config' | 'secret'>;

const HOUR_SECONDS = 3600;
const LINKS_PER_IP = { name: 'reader-links-ip', points: 30, windowSeconds: HOUR_SECONDS };
const LINKS_PER_ADDRESS = { name: 'reader-links', points: 5, windowSeconds: HOUR_SECONDS };

/** Sends a link to an email address, and answers the same whether or not it may read the site. */
export const sendMailLink: Handle<MailDeps> = async (deps, request, reply, site) => {
  const form = formOf(request);
  const redirect = redirectIn(form.get('redirect'));
  const { methods } = await deps.readerStore.accessOf(site.siteId);
  const refuse = (status: 403 | 429, problem: string) =>
    sendForm(reply, site, methods, status, { redirect, problem });
  if (!methods.mail) return refuse(403, 'This site sends no links any more.');
  const address = emailAddress.safeParse(form.get('email')?.trim().toLowerCase());
  if (!address.success) return refuse(403, 'Enter an email address, such as ada@acme.example.');
  const email = address.data;
  const client = clientOf(deps, request);
  const states = [
    await deps.limiter.consume(LINKS_PER_IP, `${site.siteId} ${client ? ipLimitKey(client) : ''}`),
    await deps.limiter.consume(LINKS_PER_ADDRESS, `${site.siteId} ${email}`),
  ];
  const past = states.find(({ allowed }) => !allowed);
  if (past) {
    reply.header('retry-after', past.resetSeconds);
    return refuse(429, 'Too many links were requested. Use the last one, or try again in an hour.');
  }
  // Whether the address may read is looked up later, so that neither the response nor its timing
  // says so.
  const { siteId } = site;
  await deps.jobs.enqueue(readerMailJob, { kind: 'link', siteId, email, redirect });
  return sendPage(reply, 200, mailSentPage({ email, login: `${baseOf(site)}/login` }));
};

/** Programs that check mail open its links: only the button of this page uses one up. */
export const sendMailLinkPage: Handle<unknown> = async (_deps, request, reply, site) => {
  const token = String((request.query as Record<string, unknown>).token ?? '');
  const siteName = site.build.config.name;
  return sendPage(
    reply,
    200,
    mailLinkPage({ siteName, action: `${baseOf(site)}/${MAIL_LINK_PATH}`, token }),
  );
};

export const takeMailLink: Handle<MailDeps> = async (deps, request, reply, site) => {
  const { methods, sessionDays } = await deps.readerStore.accessOf(site.siteId);
  const result = await mailSignIn(deps, site.siteId, methods, formOf(request).get('token') ?? '');
  if (!result)
    return sendForm(reply, site, methods, 403, {
      redirect: '/',
      problem: 'The link has expired, or was used before. Request another one.',
    });
  const { signIn, redirect } = result;
  return admit(deps, request, reply, { site, sessionDays, redirect }, signIn);
};
