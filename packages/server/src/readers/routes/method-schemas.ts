import * as z from 'zod';
import * as field from '../../kernel/operations/described.ts';
import { plainText } from '../../kernel/operations/fields.ts';
import type { SessionMethod, StoredMethod } from '../../ports/readers/reader-tables.ts';

const webAddress = z.url({ protocol: /^https?$/ }).max(2000);
const MAX_PASSWORD_CHARACTERS = 200;
const MAX_METADATA_CHARACTERS = 256 * 1024;

const changedAt = field.time('When it was last changed, which ended its sessions.');

const provider = {
  clientId: plainText(1, 500).describe('Id of the client that you registered at the provider.'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be a scope'))
    .max(30)
    .describe('Scopes to request.'),
  logoutUrl: field.orNull(
    webAddress,
    'Where readers go after they signed out of the site, to sign out of the provider too; `null`: nowhere.',
  ),
};
const emailDomains = z
  .array(
    z
      .string()
      .max(253)
      .regex(/^[a-z0-9.-]+$/, 'must be a domain in lower case'),
  )
  .max(100)
  .describe(
    'Domains of email addresses that are let in; empty: everybody whom the provider knows.',
  );
const oidcFields = {
  issuer: webAddress.describe(
    'Address of the provider, below which it has `/.well-known/openid-configuration`.',
  ),
  ...provider,
  groupsClaim: field.orNull(
    plainText(1, 300),
    'Claim with the groups of the reader; dots lead into an object, as in `realm_access.roles`. `null`: none.',
  ),
  groupsDelimiter: field.orNull(plainText(1, 10), 'Separates the groups, if the claim is a text.'),
  informationUrl: field.orNull(
    webAddress,
    'Address that returns the user object for an access token, in addition to the claims; `null`: none.',
  ),
  emailDomains,
  endsSession: field.flag(
    'Whether readers who sign out of the site sign out of the provider too (`end_session_endpoint`), and come back to `/logout`, which is registered there; `logoutUrl` wins.',
  ),
};
const oauthFields = {
  authorizationUrl: webAddress.describe('Where readers sign in.'),
  tokenUrl: webAddress.describe('Where a code is exchanged for an access token.'),
  informationUrl: webAddress.describe(
    'Address that returns the user object for an access token; with `sub`, `id` or `email`.',
  ),
  ...provider,
  parameters: z
    .record(z.string().regex(/^[\w.-]{1,100}$/), z.string().max(500))
    .refine((value) => Object.keys(value).length <= 20, 'must have at most 20 entries')
    .describe('Further parameters of the authorization address.'),
};
const samlFields = {
  entityId: plainText(1, 1024).describe('How the provider names itself (`entityID`).'),
  signInUrl: webAddress.describe(
    'Where the provider signs readers in (`SingleSignOnService`, with the binding HTTP-Redirect).',
  ),
  certificates: z
    .array(z.string().min(1).max(16_000))
    .min(1)
    .max(10)
    .describe(
      'Certificates that verify assertions, as PEM; several while the provider changes its key.',
    ),
  emailAttribute: field.orNull(
    plainText(1, 300),
    'Attribute with the email address; `null`: the one with a usual name.',
  ),
  groupsAttribute: field.orNull(
    plainText(1, 300),
    'Attribute with the groups of the reader; `null`: none.',
  ),
  emailDomains,
  logoutUrl: provider.logoutUrl,
};
const hasSecret = field.flag('Whether a secret of the client is stored.');
const clientSecret = field.optional(
  plainText(1, 2000).nullable(),
  'Secret of the client; never returned. Leave it out to keep the stored one; `null`: none, with PKCE alone.',
);

/** The ways to sign in, as responses show them. */
export const methodViews = {
  password: field.partOrNull('A password that all readers share; `null`: none.', { changedAt }),
  members: field.partOrNull(
    'The accounts of the members of the organization; `null`: members sign in like others.',
    { changedAt },
  ),
  mail: field.partOrNull(
    'Links by mail, for the readers and domains that the site names; `null`: none.',
    { changedAt },
  ),
  jwt: field.partOrNull('Tokens (JWT) that a sign-in page of yours signs; `null`: none.', {
    loginUrl: field.text.orNull(
      'Where readers are sent to sign in, with `redirect`; `null`: they come from there.',
    ),
    publicKey: field.text.orNull('The key that verifies tokens, as PEM; `null`: one of a set.'),
    jwksUrl: field.text.orNull('Address of the set of keys (RFC 7517); `null`: none.'),
    changedAt,
  }),
  oidc: field.partOrNull('A provider of OpenID Connect; `null`: none.', {
    ...oidcFields,
    hasSecret,
    changedAt,
  }),
  oauth: field.partOrNull('A server of OAuth 2 without discovery; `null`: none.', {
    ...oauthFields,
    hasSecret,
    changedAt,
  }),
  saml: field.partOrNull('An identity provider of SAML 2.0; `null`: none.', {
    ...samlFields,
    certificatesEndAt: field.time('When the first of the certificates expires.'),
    changedAt,
  }),
};

/** Changes of the ways to sign in. */
export const methodChanges = {
  password: field.orNull(
    z.strictObject({
      password: plainText(8, MAX_PASSWORD_CHARACTERS).describe(
        'The password. Another one ends the sessions of the former one.',
      ),
    }),
    'Lets readers sign in with a password that they share; `null`: no longer.',
  ),
  members: field.orNull(
    z.strictObject({}),
    'Lets members of the organization sign in with their account; `null`: no longer.',
  ),
  mail: field.orNull(
    z.strictObject({}),
    'Lets the readers whom the site names sign in with a link by mail; `null`: no longer.',
  ),
  jwt: field.orNull(
    z.strictObject({
      loginUrl: webAddress
        .nullable()
        .default(null)
        .describe(
          'Your sign-in page; `redirect` is added to its query. `null`: readers come from there by themselves.',
        ),
      publicKey: field.optional(
        plainText(1, 8000),
        'Public key: Ed25519, P-256 or RSA, as PEM or as a JSON Web Key.',
      ),
      jwksUrl: webAddress.optional().describe('Address of a set of public keys, in place of one.'),
    }),
    'Lets readers sign in with a token of your sign-in page; without a key, the stored one stays. `null`: no longer.',
  ),
  oidc: field.orNull(
    z.strictObject({
      ...oidcFields,
      scopes: oidcFields.scopes
        .default(['openid', 'profile', 'email'])
        .refine((scopes) => scopes.includes('openid'), 'must contain openid'),
      logoutUrl: provider.logoutUrl.default(null),
      groupsClaim: oidcFields.groupsClaim.default(null),
      groupsDelimiter: oidcFields.groupsDelimiter.default(null),
      informationUrl: oidcFields.informationUrl.default(null),
      emailDomains: oidcFields.emailDomains.default([]),
      endsSession: oidcFields.endsSession.default(false),
      clientSecret,
    }),
    'Lets readers sign in with a provider of OpenID Connect; `null`: no longer. Any change ends its sessions.',
  ),
  oauth: field.orNull(
    z.strictObject({
      ...oauthFields,
      scopes: provider.scopes.default([]),
      logoutUrl: provider.logoutUrl.default(null),
      parameters: oauthFields.parameters.default({}),
      clientSecret,
    }),
    'Lets readers sign in with a server of OAuth 2; `null`: no longer. Any change ends its sessions.',
  ),
  saml: field.orNull(
    z.strictObject({
      metadata: field.optional(
        z.string().max(MAX_METADATA_CHARACTERS),
        'Metadata of the provider (XML), in place of `entityId`, `signInUrl` and `certificates`.',
      ),
      entityId: samlFields.entityId.optional(),
      signInUrl: samlFields.signInUrl.optional(),
      certificates: samlFields.certificates.optional(),
      emailAttribute: samlFields.emailAttribute.default(null),
      groupsAttribute: samlFields.groupsAttribute.default(null),
      emailDomains: emailDomains.default([]),
      logoutUrl: provider.logoutUrl.default(null),
    }),
    'Lets readers sign in with a provider of SAML 2.0, which signs its assertions; what is not named of the provider stays. `null`: no longer. Any change ends its sessions.',
  ),
};

export const sessionMethod = z.enum([
  ...['password', 'members', 'mail', 'jwt', 'oidc', 'oauth', 'saml', 'view'],
] as const satisfies readonly SessionMethod[]);

export const readerGroups = z.array(plainText(1, 200)).max(200);

export const sessionDays = z
  .int()
  .min(1)
  .max(90)
  .describe('Days after which readers sign in again.');

/** Leaves out what is not for owners. */
export function providerView<Provider extends StoredMethod & { secret: string | null }>(
  provider: Provider,
) {
  const { secret, generation: _, changedAt, ...settings } = provider;
  return { ...settings, hasSecret: secret !== null, changedAt: new Date(changedAt) };
}
