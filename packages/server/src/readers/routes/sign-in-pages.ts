import { createHash } from 'node:crypto';
import { PLAIN_PAGE_POLICY, signInPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply } from 'fastify';
import { pathInside } from '../../kernel/http/path-inside.ts';
import { basePathOf } from '../../kernel/sites/site-address.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';

type Status = 200 | 403 | 429 | 503;

/** Returns what precedes the paths of a site at its own address: nothing, or its base path. */
export function baseOf(site: LiveSite): string {
  return basePathOf(site.settings.publicUrl);
}

/** Returns where a sign-in leads: never back to the sign-in, which would end where it began. */
export function redirectIn(path: unknown): string {
  const redirect = pathInside(path);
  return /^\/(?:login|logout)(?:[/?#]|$)/.test(redirect) ? '/' : redirect;
}

/** Returns the address of the sign-in that leads to a page. */
export function loginAddress(site: LiveSite, redirect: string): string {
  return `${baseOf(site)}/login${redirect === '/' ? '' : `?${new URLSearchParams({ redirect })}`}`;
}

/** Returns the ways to sign in that lead elsewhere. */
export function signInLinks(
  site: LiveSite,
  methods: StoredMethods,
  redirect: string,
): { text: string; address: string }[] {
  const providers = (['members', 'oidc', 'saml', 'oauth'] as const).filter((kind) => methods[kind]);
  const addresses = providers.map(
    (kind) => `${baseOf(site)}/login/${kind}?${new URLSearchParams({ redirect })}`,
  );
  const loginUrl = methods.jwt?.loginUrl;
  if (loginUrl) {
    const address = new URL(loginUrl);
    address.searchParams.set('redirect', redirect);
    addresses.push(address.href);
  }
  return addresses.map((address) => ({
    text:
      addresses.length === 1
        ? 'Continue with your account'
        : `Continue with ${nameOf(address, methods)}`,
    address,
  }));
}

/** Hosts distinguish several ways. */
function nameOf(address: string, { oidc, oauth, saml }: StoredMethods): string {
  if (!address.startsWith('/')) return new URL(address).host;
  if (address.includes('/login/members?')) return 'your account here';
  if (address.includes('/login/saml?')) return new URL(saml?.signInUrl ?? '').host;
  return new URL(
    address.includes('/login/oidc?') ? (oidc?.issuer ?? '') : (oauth?.authorizationUrl ?? ''),
  ).host;
}

/** Sends the page where readers choose how to sign in. */
export function sendForm(
  reply: FastifyReply,
  site: LiveSite,
  methods: StoredMethods,
  status: Status,
  { redirect, problem }: { redirect: string; problem?: string },
): FastifyReply {
  const page = signInPage({
    siteName: site.build.config.name,
    action: `${baseOf(site)}/login`,
    redirect,
    hasPassword: methods.password !== undefined,
    hasMail: methods.mail !== undefined,
    links: signInLinks(site, methods, redirect),
    problem,
  });
  return sendPage(reply, status, page);
}

/**
 * The address goes to pages of the same origin only: the form's origin must be known, and where
 * readers wanted to go is private.
 */
export function sendPage(
  reply: FastifyReply,
  status: Status,
  page: string,
  policy = PLAIN_PAGE_POLICY,
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}

/** Returns the policy of a plain page that runs one script of ours. */
export function scriptPolicyOf(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64');
  return `${PLAIN_PAGE_POLICY}; script-src 'sha256-${hash}'`;
}
