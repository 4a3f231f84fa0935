import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** The claims of the provider about a person, which may lack `email_verified`. */
export interface ProviderPerson {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[] | string;
}

/** What a hostile provider, or somebody between, changes in ID tokens. */
export interface Forgery {
  claims?: Record<string, unknown>;
  /** `RS256` by default. */
  alg?: 'none' | 'HS256';
  /** Signs with another key than the published one. */
  isForeign?: true;
}

export const OIDC_CLIENT = { clientId: 'docent', clientSecret: 'a secret of the client' };

/**
 * Starts an OpenID Connect provider (`oidc-provider`, which is certified) that signs everybody in
 * as the expected person.
 * @param redirectUri where it redirects people to; several for several organizations
 * @param signedOutUri where it redirects them to after they signed out of it
 */
export async function startOidcProvider(
  redirectUri: string | readonly string[],
  signedOutUri?: string,
) {
  const people = new Map<string, ProviderPerson>();
  let person: ProviderPerson | undefined;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [own, foreign] = [newKey(), newKey()];
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...own.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'own' }] },
    clients: [
      {
        client_id: OIDC_CLIENT.clientId,
        client_secret: OIDC_CLIENT.clientSecret,
        redirect_uris: [redirectUri].flat(),
        ...(signedOutUri !== undefined && { post_logout_redirect_uris: [signedOutUri] }),
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...(people.get(sub) as ProviderPerson) }),
    }),
    loadExistingGrant: async (context) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({
        clientId: client?.clientId as string,
        accountId: session?.accountId as string,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  let sendsIdToken = true;
  let forgery: Forgery | undefined;
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route !== 'token') return;
    const answer = context.body as { id_token?: string };
    if (!sendsIdToken) delete answer.id_token;
    else if (forgery && answer.id_token)
      answer.id_token = forge(answer.id_token, forgery, forgery.isForeign ? foreign : own);
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const login = { accountId: person?.sub as string };
    return provider.interactionFinished(
      request,
      response,
      { login },
      { mergeWithLastSubmission: false },
    );
  });
  return {
    issuer,
    /** Leaves the ID token out of the answers from now on, or not. */
    setIdToken(isSent: boolean): void {
      sendsIdToken = isSent;
    },
    /** Changes the ID tokens from now on, or no longer. */
    setForgery(next?: Forgery): void {
      forgery = next;
    },
    /** Sets the person of the next sign-in. */
    expect(who: ProviderPerson): void {
      people.set(who.sub, who);
      person = who;
    },
    /**
     * Opens an address of the provider like a browser without a session there. @returns where it
     * redirects the browser to
     */
    async signIn(url: string, who: ProviderPerson): Promise<string> {
      this.expect(who);
      const cookies = new Map<string, string>();
      let next = url;
      while (next.startsWith(issuer)) {
        const response = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [name = '', value = ''] = (cookie.split(';')[0] as string).split(/=(.*)/s);
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null)
          throw new Error(
            `${next} answered ${response.status}: ${(await response.text()).slice(0, 500)}`,
          );
        next = new URL(location, next).href;
      }
      return next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** Writes an ID token again, with other claims or another signature (RFC 7515). */
function forge(token: string, { claims, alg }: Forgery, key: KeyObject): string {
  const original = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: alg ?? 'RS256', kid: 'own' })}.${encode({ ...original, ...claims })}`;
  if (alg === 'none') return `${text}.`;
  const signature =
    alg === 'HS256'
      ? createHmac('sha256', OIDC_CLIENT.clientSecret).update(text).digest()
      : sign('sha256', Buffer.from(text), key);
  return `${text}.${signature.toString('base64url')}`;
}
