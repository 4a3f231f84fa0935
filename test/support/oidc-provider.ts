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
}

export const OIDC_CLIENT = { clientId: 'docent', clientSecret: 'a secret of the client' };

/**
 * Starts an OpenID Connect provider (`oidc-provider`, which is certified) that signs everybody in as the expected person.
 * @param redirectUri where it redirects people to
 */
export async function startOidcProvider(redirectUri: string) {
  const people = new Map<string, ProviderPerson>();
  let person: ProviderPerson | undefined;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.clientId,
        client_secret: OIDC_CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...(people.get(sub) as ProviderPerson) }) }),
    loadExistingGrant: async (context) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client?.clientId as string, accountId: session?.accountId as string });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  let sendsIdToken = true;
  provider.use(async (context, next) => {
    await next();
    if (!sendsIdToken && context.oidc?.route === 'token') delete (context.body as { id_token?: string }).id_token;
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const login = { accountId: person?.sub as string };
    return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  });
  return {
    issuer,
    /** Leaves the ID token out of the answers from now on, or not. */
    setIdToken(isSent: boolean): void {
      sendsIdToken = isSent;
    },
    /** Sets the person of the next sign-in. */
    expect(who: ProviderPerson): void {
      people.set(who.sub, who);
      person = who;
    },
    /** Opens an address of the provider like a browser without a session there. @returns where it redirects the browser to */
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
        if (location === null) throw new Error(`${next} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
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
