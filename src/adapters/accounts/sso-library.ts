import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { errorMessage } from '../../core/error-message.ts';
import { DocentError } from '../../core/errors.ts';
import { SSO_PROVIDER, type SsoSettings } from '../../ports/accounts.ts';
import { type LibraryOptions, openLibrary } from './library.ts';
import { BASE_PATH } from './request-names.ts';

const DISCOVERY_SECONDS = 10;
const DISCOVERY_BYTES = 1_000_000;

/**
 * The library with an OpenID Connect provider. Opening it queries the provider, so it is a separate instance from the one that
 * handles passwords, which must not wait for the provider.
 * @throws DocentError `dependency_unavailable` if the provider does not answer as its issuer
 */
export async function openSsoLibrary(options: LibraryOptions & { publicUrl: string }, sso: SsoSettings) {
  const discoveryUrl = `${sso.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  await requireIssuer(discoveryUrl, sso.issuer).catch((error: unknown) => {
    // For the operator: the person signing in cannot fix this.
    options.logger.error({ reason: errorMessage(error) }, 'single sign-on');
    const message = 'The identity provider is unavailable; try again in a minute.';
    throw new DocentError('dependency_unavailable', message, { retryAfterSeconds: 60, cause: error });
  });
  const provider = genericOAuth({
    config: [
      {
        providerId: SSO_PROVIDER,
        name: sso.name,
        discoveryUrl,
        requireIdTokenVerification: true,
        clientId: sso.clientId,
        clientSecret: sso.clientSecret,
        redirectURI: `${options.publicUrl}${BASE_PATH}/callback/${SSO_PROVIDER}`,
        scopes: ['openid', 'profile', 'email'],
        pkce: true,
        mapProfileToUser: ({ email_verified: verified, email, name }) => ({
          emailVerified: isTrue(verified) || (verified === undefined && sso.trustsEmail),
          name: (typeof name === 'string' && name.trim().slice(0, 100)) || String(email).split('@')[0],
        }),
      },
    ],
  });
  return openLibrary(options, {
    plugins: [provider],
    // The hooks below query the database, and the embedded database has a single connection. An account that loses one half is
    // repaired by the next sign-in: its address is verified, so the halves are connected then.
    transaction: false,
    onAPIError: { errorURL: `${options.publicUrl}/dashboard/sign-in` },
    user: {
      validateUserInfo: async ({ user, source }) => {
        if (user.emailVerified !== true) return { error: 'email_not_verified' };
        const refusal = await sso.refusalOf({ email: String(user.email), isNew: source.action === 'create-user' });
        return refusal === undefined ? undefined : { error: refusal };
      },
    },
    databaseHooks: {
      // Only the identity is requested from the provider. Tokens that grant anything else are not stored.
      account: {
        create: {
          before: async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } }),
          after: async ({ userId }) => sso.onConnect(userId),
        },
      },
      user: { create: { after: async ({ id, email }) => sso.onSignUp({ userId: id, email }) } },
    },
  });
}

/** Some providers send a string. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

/** OpenID Connect Discovery 1.0, 4.3: the document must name the issuer that was requested. */
async function requireIssuer(discoveryUrl: string, issuer: string): Promise<void> {
  const found = await readIssuer(discoveryUrl).catch((error: unknown) => {
    throw new Error(`${discoveryUrl} cannot be read: ${errorMessage(error)}`, {
      cause: error,
    });
  });
  if (found !== issuer)
    throw new Error(`${discoveryUrl} names the issuer ${JSON.stringify(found)}; set DOCENT_OIDC_ISSUER to it.`);
}

async function readIssuer(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DISCOVERY_SECONDS * 1000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const text = await response.text();
  if (text.length > DISCOVERY_BYTES) throw new Error('the document is too large');
  return (JSON.parse(text) as { issuer?: unknown } | null)?.issuer;
}
