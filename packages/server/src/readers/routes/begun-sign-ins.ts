import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../kernel/deps.ts';
import { cookiesOf, cookieText } from '../../kernel/http/cookies.ts';
import { isEncrypted } from '../../kernel/http/reader-of.ts';
import { openSecret, sealSecret } from '../../kernel/sealed-secrets.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { Challenge } from '../sign-in/providers.ts';

/** Ways to sign in that lead to a provider and back. */
export type ProviderName = 'oidc' | 'oauth' | 'saml';

/** A sign-in that began in this browser, as its cookie keeps it. */
export interface Begun {
  kind: ProviderName;
  /** Binds the answer of the provider; used once. */
  state: string;
  /** For OAuth and OpenID Connect. */
  challenge?: Challenge;
  generation: string;
  redirect: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export const SIGN_IN_SECONDS = 600;

/** Keeps a sign-in in the browser until the provider leads back. */
export function rememberSignIn(
  reply: FastifyReply,
  { secret }: Pick<Deps, 'secret'>,
  site: LiveSite,
  begun: Begun,
): void {
  const sealed = sealSecret(secret, 'sign-ins of readers', JSON.stringify([site.siteId, begun]));
  reply.header('set-cookie', cookieOf(site, encodeURIComponent(sealed), SIGN_IN_SECONDS));
}

export function forgetSignIn(reply: FastifyReply, site: LiveSite): void {
  reply.header('set-cookie', cookieOf(site, '', 0));
}

/** Returns the sign-in that began in the browser of a request, unless it took too long. */
export function signInOf(
  { secret, clock }: Pick<Deps, 'secret' | 'clock'>,
  request: FastifyRequest,
  site: LiveSite,
): Begun | undefined {
  for (const value of cookiesOf(request, cookieNameOf(site)).slice(0, 4)) {
    const text = openSecret(
      secret,
      'sign-ins of readers',
      decodeURIComponent(/^(?:[\w.-]|%[0-7][0-9a-f])*$/i.test(value) ? value : ''),
    );
    if (text === undefined) continue;
    const [siteId, begun] = JSON.parse(text) as [string, Begun];
    if (siteId === site.siteId && begun.expiresAt > clock.now().getTime()) return begun;
  }
  return undefined;
}

function cookieNameOf(site: LiveSite): string {
  return `${isEncrypted(site) ? '__Host-' : ''}docent-sign-in-${site.siteId.toLowerCase()}`;
}

/** Sent with the navigation from the provider, so not only to requests of the site itself. */
function cookieOf(site: LiveSite, value: string, seconds: number): string {
  const name = cookieNameOf(site);
  return cookieText({ name, value, seconds, isEncrypted: isEncrypted(site) });
}
