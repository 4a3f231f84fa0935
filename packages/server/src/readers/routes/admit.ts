import { errorMessage } from '@docent/format/error-message.ts';
import { PLAIN_PAGE_POLICY, signOutPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../kernel/deps.ts';
import { cookieText } from '../../kernel/http/cookies.ts';
import {
  isEncrypted,
  readerCookieName,
  readerOf,
  readerSessionOf,
} from '../../kernel/http/reader-of.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import { endSessionAddress, type ProviderDeps } from '../sign-in/providers.ts';
import { baseOf, sendPage } from './sign-in-pages.ts';
import type { Handle } from './sign-in-ways.ts';

export type SessionDeps = Pick<Deps, 'readerStore' | 'clock' | 'readerSessions' | 'readerTokens'>;
type SignOutDeps = SessionDeps & ProviderDeps & Pick<Deps, 'logger'>;

/**
 * Starts a session in this browser, in place of the one that it had, and sends it to where it
 * wanted to go.
 */
export async function admit(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { site, sessionDays, redirect }: { site: LiveSite; sessionDays: number; redirect: string },
  signIn: SignIn,
): Promise<FastifyReply> {
  await endSession(deps, request, site);
  const { token, expiresAt } = await deps.readerStore.startSession(
    { siteId: site.siteId, sessionDays },
    signIn,
  );
  const seconds = Math.floor((expiresAt.getTime() - deps.clock.now().getTime()) / 1000);
  return reply
    .header('set-cookie', cookieOf(site, token, seconds))
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(baseOf(site) + redirect, 303);
}

/** Browsers compare where a form leads to in the end, which is the provider. */
const SIGN_OUT_POLICY = PLAIN_PAGE_POLICY.replace("form-action 'self'", 'form-action http: https:');

/** Signs a reader out. A page elsewhere can only lead here, and then the reader is asked. */
export const sendLogout: Handle<SignOutDeps> = async (deps, request, reply, site) => {
  const { 'sec-fetch-site': from, 'sec-fetch-mode': mode } = request.headers;
  // Not a prefetch of a link.
  if (mode === 'navigate' && (from === 'same-origin' || from === 'none'))
    return signOut(deps, request, reply, site);
  const isSignedIn = (await readerOf(deps, request, site)) !== undefined;
  const login = `${baseOf(site)}/login`;
  return sendPage(
    reply,
    200,
    signOutPage(isSignedIn ? { login, action: `${baseOf(site)}/logout` } : { login }),
    SIGN_OUT_POLICY,
  );
};

export const signOut: Handle<SignOutDeps> = async (deps, request, reply, site) => {
  const method = await endSession(deps, request, site);
  reply.header('set-cookie', cookieOf(site, '', 0)).header('clear-site-data', '"cache"');
  const logoutUrl = method && (await logoutUrlOf(deps, site, method));
  if (logoutUrl) return reply.header('cache-control', 'no-store').redirect(logoutUrl, 303);
  return sendPage(reply, 200, signOutPage({ login: `${baseOf(site)}/login` }));
};

/** Readers sign out of their provider too, where its owner wants that. */
async function logoutUrlOf(
  deps: SignOutDeps,
  { siteId, publicUrl }: LiveSite,
  method: string,
): Promise<string | null | undefined> {
  const { methods } = await deps.readerStore.accessOf(siteId);
  const { oidc } = methods;
  if (method === 'oidc' && oidc?.endsSession && oidc.logoutUrl === null)
    return endSessionAddress(deps, oidc, `${publicUrl}/logout`).catch((error: unknown) => {
      const reason = errorMessage(error);
      deps.logger.warn({ reason }, 'a reader could not sign out of the provider of a site');
      return undefined;
    });
  return method === 'oidc' || method === 'oauth' || method === 'saml'
    ? methods[method]?.logoutUrl
    : undefined;
}

/** @returns how the reader had signed in */
async function endSession(
  deps: SessionDeps,
  request: FastifyRequest,
  site: LiveSite,
): Promise<string | undefined> {
  const session = await readerSessionOf(deps, request, site);
  if (session?.sessionId === undefined) return undefined;
  await deps.readerStore.endSession(site.siteId, session.sessionId);
  return session.method;
}

function cookieOf(site: LiveSite, value: string, seconds: number): string {
  const name = readerCookieName(site);
  return cookieText({ name, value, seconds, isEncrypted: isEncrypted(site) });
}
