import { isLoopbackName } from '@docent/format/access/host-name.ts';
import * as z from 'zod';
import {
  halfSet,
  isPlain,
  listOf,
  notes,
  onOrOff,
  readHostname,
  requestLimit,
  urlThat,
  wholeNumber,
} from './setting.ts';

const isProtected = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));

/** Settings of sign-in and of the mail about it. */
export const accountSettings = {
  DOCENT_ORGANIZATION_CREATION: z
    .enum(['operator', 'members'])
    .prefault('operator')
    .register(notes, {
      meaning:
        'Who creates organizations: the operator, on the command line of the server, or also members of any organization in the dashboard.',
    }),
  DOCENT_ORGANIZATIONS_PER_PERSON: wholeNumber(1, 1_000_000).prefault('10').register(notes, {
    meaning:
      'Maximum number of organizations that one person has created. They share their limits and quotas.',
  }),
  DOCENT_LIMIT_ORGANIZATIONS_PER_PERSON_HOUR: requestLimit(
    '3',
    'Organizations that one person may create per hour.',
  ),
  DOCENT_LIMIT_INVITATIONS_PER_ORGANIZATION_DAY: requestLimit(
    '20',
    'Invitations that an organization may send per day, at most 3 to one address. The local operator is not limited.',
  ),
  // Tokens must match it exactly, so it is not normalized.
  DOCENT_OIDC_ISSUER: urlThat((url) => isProtected(url) && isPlain(url))
    .optional()
    .register(notes, {
      expected: 'an https address without user, query or fragment',
      meaning:
        'Issuer of the OpenID Connect provider for sign-in, as in its `/.well-known/openid-configuration`.',
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
  DOCENT_OIDC_ORGANIZATION: z.string().optional().register(notes, {
    default: '<none: only people with an invitation>',
    expected: 'the identifier of an organization',
    meaning:
      'Organization that people join when they sign in through the provider for the first time.',
  }),
  DOCENT_OIDC_ROLE: z.enum(['viewer', 'editor', 'admin']).prefault('viewer').register(notes, {
    meaning: 'Role that they receive there.',
  }),
  DOCENT_OIDC_EMAIL_DOMAINS: z.string().transform(listOf(readHostname)).optional().register(notes, {
    default: '<all>',
    expected: 'domains separated by commas',
    meaning: 'Domains of the email addresses that may sign in through the provider.',
  }),
  DOCENT_OIDC_TRUST_EMAIL: onOrOff().prefault('off').register(notes, {
    meaning:
      'Whether an address counts as verified where the provider does not send `email_verified`. Turn it on only for a provider whose administrators set the addresses, such as your own tenant of Microsoft Entra ID.',
  }),
  DOCENT_OIDC_SECOND_FACTOR: z.enum(['trust', 'required']).prefault('trust').register(notes, {
    meaning:
      'Whether a second factor is left to the provider (`trust`), or everybody who comes from it must have used one according to the claims `amr` or `acr` of the ID token (`required`).',
  }),
  DOCENT_OIDC_SECOND_FACTOR_ACR: z
    .string()
    .transform(listOf(readToken))
    .optional()
    .register(notes, {
      default: '<none: only amr counts>',
      expected: 'values of `acr` separated by commas',
      meaning:
        'Values of `acr` with which the provider says that somebody used a second factor. They are requested from it.',
    }),
  DOCENT_PASSWORDS: onOrOff().prefault('on').register(notes, {
    meaning:
      "Whether people sign in with passwords. `off` needs single sign-on; the set-up link and the operator's links to set a password then still sign in.",
  }),
  DOCENT_SESSION_DAYS: wholeNumber(1, 365).prefault('90').register(notes, {
    meaning:
      'Days after which a session ends, however much it is used. One that is not used ends after 30 days.',
  }),
  DOCENT_SMTP_URL: urlThat(
    ({ protocol, hostname }) => /^smtps?:$/.test(protocol) && hostname !== '',
  )
    .optional()
    .register(notes, {
      expected:
        'an address such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the first byte',
      meaning: 'Mail server that sends invitations and links to set a password. It is never shown.',
    }),
  DOCENT_MAIL_FROM: z.string().max(320).optional().register(notes, {
    expected: 'an address such as Docs <docs@example.com>',
    meaning: 'Sender of the mail; needed with `DOCENT_SMTP_URL`.',
  }),
};

const schema = z.object(accountSettings);

/**
 * Returns how people sign in: the OpenID Connect provider, if there is one, whether with passwords,
 * and the mail server, if there is one.
 * @throws DocentError `invalid_setting` if a setting lacks another that it requires
 */
export function accountsFrom(values: z.output<typeof schema>) {
  const sso = ssoFrom(values);
  const passwords = values.DOCENT_PASSWORDS;
  if (!passwords && !sso)
    throw halfSet(
      'DOCENT_PASSWORDS',
      'without passwords people need single sign-on; set DOCENT_OIDC_ISSUER, or remove it.',
    );
  return { sso, passwords, sessionDays: values.DOCENT_SESSION_DAYS, mail: mailFrom(values) };
}

function ssoFrom(values: z.output<typeof schema>) {
  const {
    DOCENT_OIDC_ISSUER: issuer,
    DOCENT_OIDC_CLIENT_ID: clientId,
    DOCENT_OIDC_CLIENT_SECRET: clientSecret,
  } = values;
  const parts = {
    DOCENT_OIDC_ISSUER: issuer,
    DOCENT_OIDC_CLIENT_ID: clientId,
    DOCENT_OIDC_CLIENT_SECRET: clientSecret,
  };
  for (const [name, value] of Object.entries(parts))
    if (value === undefined && Object.values(parts).some((part) => part !== undefined))
      throw halfSet(
        name,
        'single sign-on needs an issuer, a client ID and a client secret; set it, or remove the others.',
      );
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.DOCENT_OIDC_NAME,
    // Without it, only people with an invitation are admitted.
    organization: values.DOCENT_OIDC_ORGANIZATION,
    role: values.DOCENT_OIDC_ROLE,
    emailDomains: values.DOCENT_OIDC_EMAIL_DOMAINS ?? [],
    trustsEmail: values.DOCENT_OIDC_TRUST_EMAIL,
    secondFactor: secondFactorFrom(values),
  };
}

/** The `acr` values that stand for a second factor; `undefined` if it is left to the provider. */
function secondFactorFrom({
  DOCENT_OIDC_SECOND_FACTOR: rule,
  DOCENT_OIDC_SECOND_FACTOR_ACR: acrValues,
}: z.output<typeof schema>) {
  if (rule === 'required') return { acrValues: acrValues ?? [] };
  if (acrValues !== undefined)
    throw halfSet(
      'DOCENT_OIDC_SECOND_FACTOR',
      'DOCENT_OIDC_SECOND_FACTOR_ACR needs it; set it to required, or remove the other.',
    );
  return undefined;
}

/** A value of a list that is sent separated by spaces. */
function readToken(text: string): string | undefined {
  return /^[!-~]{1,200}$/.test(text) ? text : undefined;
}

function mailFrom({ DOCENT_SMTP_URL: url, DOCENT_MAIL_FROM: from }: z.output<typeof schema>) {
  if (url === undefined && from === undefined) return undefined;
  if (from === undefined)
    throw halfSet('DOCENT_MAIL_FROM', 'DOCENT_SMTP_URL needs it; set it to the sender’s address.');
  if (url === undefined)
    throw halfSet(
      'DOCENT_SMTP_URL',
      'DOCENT_MAIL_FROM is set, so it is needed too; set it, or remove both.',
    );
  return { urlWithPassword: url, from };
}
