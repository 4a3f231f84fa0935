import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { listIdentities, updateIssuer } from '../../kernel/access/member-queries.ts';
import { SSO_PROVIDER, type SsoSettings } from '../../ports/accounts.ts';
import type { Queries } from '../../ports/database.ts';
import { type LibraryOptions, openLibrary } from './library.ts';
import { BASE_PATH } from './request-names.ts';
import { hasSecondFactor } from './second-factor-claims.ts';

const DISCOVERY_SECONDS = 10;
const DISCOVERY_BYTES = 1_000_000;

/**
 * The library with an OpenID Connect provider. Opening it queries the provider, so it is a separate
 * instance from the one that handles passwords, which must not wait for the provider.
 * @throws DocentError `dependency_unavailable` if the provider does not answer as its issuer
 */
export async function openSsoLibrary(
  options: LibraryOptions & { publicUrl: string },
  sso: SsoSettings,
) {
  const discoveryUrl = `${sso.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  await requireIssuer(discoveryUrl, sso.issuer).catch((error: unknown) => {
    // For the operator: the person signing in cannot fix this.
    options.logger.error({ reason: errorMessage(error) }, 'single sign-on');
    const message = 'The identity provider is unavailable; try again in a minute.';
    throw new DocentError('dependency_unavailable', message, {
      retryAfterSeconds: 60,
      cause: error,
    });
  });
  // By the profile that belongs to the ID token, which may come from another answer of the provider
  // and lack these claims.
  const withSecondFactor = new WeakSet<object>();
  const provider = genericOAuth({
    config: [
      {
        providerId: SSO_PROVIDER,
        name: sso.name,
        discoveryUrl,
        requireIdTokenVerification: true,
        // Without an ID token, the library would believe the answer of another address, which is
        // bound to no nonce.
        accountSubject: ({ tokens, profile }) => {
          if (!tokens.idToken) throw new Error('The identity provider sent no ID token.');
          if (sso.secondFactor && hasSecondFactor(tokens.idToken, sso.secondFactor.acrValues))
            withSecondFactor.add(profile);
          return String(profile.sub);
        },
        clientId: sso.clientId,
        clientSecret: sso.clientSecret,
        redirectURI: `${options.publicUrl}${BASE_PATH}/callback/${SSO_PROVIDER}`,
        scopes: ['openid', 'profile', 'email'],
        pkce: true,
        ...(sso.secondFactor?.acrValues.length && {
          authorizationUrlParams: { acr_values: sso.secondFactor.acrValues.join(' ') },
        }),
        mapProfileToUser: ({ email_verified: verified, email, name }) => ({
          emailVerified: isTrue(verified) || (verified === undefined && sso.trustsEmail),
          name:
            (typeof name === 'string' && name.trim().slice(0, 100)) || String(email).split('@')[0],
        }),
      },
    ],
  });
  return openLibrary(options, {
    plugins: [provider],
    // The hooks below query the database, and the embedded database has a single connection. An
    // account that loses one half is repaired by the next sign-in: its address is verified, so the
    // halves are connected then.
    transaction: false,
    onAPIError: { errorURL: `${options.publicUrl}/dashboard/sign-in` },
    user: {
      validateUserInfo: async ({ user, source }) => {
        const isNew = source.action === 'create-user';
        if (user.emailVerified !== true) return { error: 'email_not_verified' };
        const identity = { issuer: sso.issuer, subject: String(source.oauth?.profile?.sub) };
        if (
          !isNew &&
          !(await mayConnect(options.database.queries, identity, {
            id: String(user.id),
            email: String(user.email),
          }))
        )
          return { error: 'other_identity' };
        const profile = source.oauth?.profile;
        if (sso.secondFactor && !(profile && withSecondFactor.has(profile)))
          return { error: 'second_factor_missing' };
        const refusal = await sso.refusalOf({ email: String(user.email), isNew });
        return refusal === undefined ? undefined : { error: refusal };
      },
    },
    databaseHooks: {
      // Only the identity is requested from the provider. Tokens that grant anything else are not
      // stored.
      account: {
        create: {
          before: async () => ({
            data: { accessToken: null, refreshToken: null, idToken: null, issuer: sso.issuer },
          }),
          after: async ({ userId }) => sso.onConnect(userId),
        },
      },
      user: { create: { after: async ({ id, email }) => sso.onSignUp({ userId: id, email }) } },
    },
  });
}

/**
 * Whether an identity may sign in to an account: it is connected with it, or the account with none
 * of this issuer. An identity is an issuer with a subject (OpenID Connect Core 1.0, 5.7). An
 * address belongs to different people over time, so it connects once.
 */
async function mayConnect(
  queries: Queries,
  identity: { issuer: string; subject: string },
  person: { id: string; email: string },
): Promise<boolean> {
  const connected = await listIdentities(queries, person.id);
  const same = connected.find(({ subject }) => subject === identity.subject);
  if (same?.issuer === identity.issuer) return true;
  // Of a former issuer, or connected before issuers were stored: the address, which the provider
  // has verified, decides once more.
  if (same) {
    const isTheirs = same.issuer === null || same.email === person.email.toLowerCase();
    if (isTheirs) await updateIssuer(queries, same.id, identity.issuer);
    return isTheirs;
  }
  return connected.every(({ issuer }) => issuer !== null && issuer !== identity.issuer);
}

/** Some providers send a string. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

/** OpenID Connect Discovery 1.0, 4.3: the document must name the issuer that was requested. */
async function requireIssuer(discoveryUrl: string, issuer: string): Promise<void> {
  const actualIssuer = await readIssuer(discoveryUrl).catch((error: unknown) => {
    throw new Error(`${discoveryUrl} cannot be read: ${errorMessage(error)}`, {
      cause: error,
    });
  });
  if (actualIssuer !== issuer)
    throw new Error(
      `${discoveryUrl} names the issuer ${JSON.stringify(actualIssuer)}; set DOCENT_OIDC_ISSUER to it.`,
    );
}

async function readIssuer(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DISCOVERY_SECONDS * 1000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const text = await response.text();
  if (text.length > DISCOVERY_BYTES) throw new Error('the document is too large');
  return (JSON.parse(text) as { issuer?: unknown } | null)?.issuer;
}
