import { z } from 'zod';
import { isLoopbackName } from '../core/access/host-name.ts';
import type { Role } from '../core/access/may.ts';
import { isHostname } from '../core/access/site-name.ts';
import { halfSet, listOf, notes, onOrOff } from './setting.ts';

/** The issuer of an identity provider. Tokens must match it exactly, so it is not normalized. */
function readIssuer(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  const isProtected = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
  if (!url || !isProtected || url.username || url.password || url.search || url.hash)
    context.addIssue({ code: 'custom', message: 'not an issuer' });
  return text;
}

function readSmtpUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    context.addIssue({ code: 'custom', message: 'not an address' });
  return text;
}

const readDomain = (text: string) => (isHostname(text.toLowerCase()) ? text.toLowerCase() : undefined);

/** Settings of sign-in and of the mail about it. */
export const accountSettings = {
  DOCENT_OIDC_ISSUER: z.string().transform(readIssuer).optional().register(notes, {
    expected: 'an https address without user, query or fragment',
    meaning: 'Issuer of the OpenID Connect provider for sign-in, as in its `/.well-known/openid-configuration`.',
  }),
  DOCENT_OIDC_CLIENT_ID: z.string().optional().register(notes, {
    expected: 'a client id',
    meaning: 'Client ID that the provider issued to this server.',
  }),
  DOCENT_OIDC_CLIENT_SECRET: z.string().optional().register(notes, {
    expected: 'a client secret',
    meaning: 'Secret of that client. It is never shown.',
  }),
  DOCENT_OIDC_NAME: z.string().max(40).prefault('single sign-on').register(notes, {
    expected: 'a text of at most 40 characters',
    meaning: 'Name of the provider on the sign-in button, after "Continue with".',
  }),
  DOCENT_OIDC_ORGANISATION: z.string().optional().register(notes, {
    default: '<none: only people with an invitation>',
    expected: 'the identifier of an organization',
    meaning: 'Organization that people join when they sign in through the provider for the first time.',
  }),
  DOCENT_OIDC_ROLE: z.enum(['viewer', 'editor', 'admin']).prefault('viewer').register(notes, {
    expected: 'viewer, editor or admin',
    meaning: 'Role that they receive there.',
  }),
  DOCENT_OIDC_EMAIL_DOMAINS: z.string().transform(listOf('domains', readDomain)).optional().register(notes, {
    default: '<all>',
    expected: 'domains separated by commas',
    meaning: 'Domains of the email addresses that may sign in through the provider.',
  }),
  DOCENT_OIDC_TRUST_EMAIL: onOrOff().prefault('off').register(notes, {
    meaning:
      'Whether an address counts as verified where the provider does not send `email_verified`. Turn it on only for a provider whose administrators set the addresses, such as your own tenant of Microsoft Entra ID.',
  }),
  DOCENT_PASSWORDS: onOrOff().prefault('on').register(notes, {
    meaning:
      "Whether people sign in with passwords. `off` needs single sign-on; the set-up link and the operator's links to set a password then still sign in.",
  }),
  DOCENT_SMTP_URL: z.string().transform(readSmtpUrl).optional().register(notes, {
    expected: 'an address such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the first byte',
    meaning: 'Mail server that sends invitations and links to set a password. It is never shown.',
  }),
  DOCENT_MAIL_FROM: z.string().max(320).optional().register(notes, {
    expected: 'an address such as Docs <docs@example.com>',
    meaning: 'Sender of the mail; needed with `DOCENT_SMTP_URL`.',
  }),
};

/** An OpenID Connect provider, and its admission rules. */
interface SsoConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** Identifier of the organization that new people join; without it, only those with an invitation are admitted. */
  organisation: string | undefined;
  role: Role;
  /** Allowed domains of email addresses; empty for all. */
  emailDomains: readonly string[];
  /** Whether an address counts as verified if the provider does not say. */
  trustsEmail: boolean;
}

export interface AccountsConfig {
  /** The OpenID Connect provider for sign-in, if there is one. */
  sso: SsoConfig | undefined;
  /** Whether people sign in with passwords. */
  passwords: boolean;
  /** The mail server, if there is one. */
  mail: { urlWithPassword: string; from: string } | undefined;
}

const schema = z.object(accountSettings);

/** @throws DocentError `invalid_setting` if a setting lacks another that it requires */
export function accountsFrom(values: z.output<typeof schema>): AccountsConfig {
  const sso = ssoFrom(values);
  const passwords = values.DOCENT_PASSWORDS;
  if (!passwords && !sso)
    throw halfSet('DOCENT_PASSWORDS', 'without passwords people need single sign-on; set DOCENT_OIDC_ISSUER, or remove it.');
  return { sso, passwords, mail: mailFrom(values) };
}

function ssoFrom(values: z.output<typeof schema>): AccountsConfig['sso'] {
  const { DOCENT_OIDC_ISSUER: issuer, DOCENT_OIDC_CLIENT_ID: clientId, DOCENT_OIDC_CLIENT_SECRET: clientSecret } = values;
  const parts = { DOCENT_OIDC_ISSUER: issuer, DOCENT_OIDC_CLIENT_ID: clientId, DOCENT_OIDC_CLIENT_SECRET: clientSecret };
  for (const [name, value] of Object.entries(parts))
    if (value === undefined && Object.values(parts).some((one) => one !== undefined))
      throw halfSet(name, 'single sign-on needs an issuer, a client ID and a client secret; set it, or remove the others.');
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.DOCENT_OIDC_NAME,
    organisation: values.DOCENT_OIDC_ORGANISATION,
    role: values.DOCENT_OIDC_ROLE,
    emailDomains: values.DOCENT_OIDC_EMAIL_DOMAINS ?? [],
    trustsEmail: values.DOCENT_OIDC_TRUST_EMAIL,
  };
}

function mailFrom({ DOCENT_SMTP_URL: url, DOCENT_MAIL_FROM: from }: z.output<typeof schema>): AccountsConfig['mail'] {
  if (url === undefined && from === undefined) return undefined;
  if (from === undefined) throw halfSet('DOCENT_MAIL_FROM', 'DOCENT_SMTP_URL needs it; set it to the sender’s address.');
  if (url === undefined)
    throw halfSet('DOCENT_SMTP_URL', 'DOCENT_MAIL_FROM is set, so it is needed too; set it, or remove both.');
  return { urlWithPassword: url, from };
}
