import { readFile } from 'node:fs/promises';
import { DocentError } from '@docent/format/errors.ts';
import { isGitHubHost } from '@docent/format/sources/github.ts';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { chooseEncoding, encodeBody } from '../kernel/http/representations.ts';
import { loadDashboard } from './dashboard-files.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable';
const HAS_TOKEN = /^\/dashboard\/(?:invite|reset)\//;
const ICON_CACHE = 'public, max-age=3600';

/** The page that sends the form of a GitHub App, to the host in its query. */
const GITHUB_FORM = /^\/dashboard\/[^/]+\/settings\/github-app$/;
const FORMS = "form-action 'self'";

/**
 * Allows only our own files and the API, with the preview images of sites. React sets styles
 * through the DOM, which no policy restricts, so no inline style is allowed.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  FORMS,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `GET /dashboard/…`: serves the pages of the dashboard in their state without data, its files and its icon; `GET /` redirects
 * there. The page requests the user's data from the API.
 */
export function dashboardRoutes(
  app: App,
  { config, accounts }: Pick<Deps, 'config' | 'accounts'>,
): void {
  app.get('/', async (request, reply) => {
    reply.header('cache-control', 'no-cache').header('vary', 'accept');
    if (!asksForJson(request.headers.accept)) return reply.redirect('/dashboard', 302);
    const { publicUrl } = config;
    return reply.send({
      name: 'Docent',
      dashboard: `${publicUrl}/dashboard`,
      openapi: `${publicUrl}/openapi.json`,
    });
  });

  for (const url of ['/dashboard', '/dashboard/*'])
    app.get(url, async (request, reply) => {
      const { document } = await loadedDashboard();
      const { pathname, searchParams } = new URL(request.url, config.publicUrl);
      const host = GITHUB_FORM.test(pathname) ? (searchParams.get('host') ?? '') : '';
      protect(
        reply,
        isGitHubHost(host) ? CONTENT_POLICY.replace(FORMS, `${FORMS} https://${host}`) : undefined,
      );
      const isSignedIn = request.headers.cookie?.includes(`${accounts.cookieName}=`) ?? false;
      const html = document(
        pathname.slice('/dashboard'.length) || '/',
        new URL(config.publicUrl).origin,
        isSignedIn,
      );
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      // A URL with a token is for one person.
      if (HAS_TOKEN.test(pathname)) reply.header('x-robots-tag', 'noindex');
      reply
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-encoding, cookie')
        .type('text/html; charset=utf-8');
      return reply.send(await encodeBody(html, encoding));
    });

  app.get(
    '/dashboard/assets/:name',
    { schema: { params: z.object({ name: z.string() }) } },
    async (request, reply) => {
      const file = await (await loadedDashboard()).file(request.params.name);
      if (!file)
        throw new DocentError(
          'route_not_found',
          'The dashboard has no file with that name; reload the page.',
        );
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      protect(reply);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply
        .header('cache-control', FOR_GOOD)
        .header('vary', 'accept-encoding')
        .type(file.type)
        .send(file[encoding]);
    },
  );

  app.get('/dashboard/favicon.svg', async (_request, reply) => {
    const drawing = await readFile(new URL('../../../../docs/favicon.svg', import.meta.url));
    protect(reply);
    return reply.header('cache-control', ICON_CACHE).type('image/svg+xml').send(drawing);
  });
}

let dashboard: ReturnType<typeof loadDashboard> | undefined;

/** Loaded with the first request: the API also runs without a dashboard. */
function loadedDashboard(): ReturnType<typeof loadDashboard> {
  dashboard ??= loadDashboard();
  return dashboard;
}

function asksForJson(accept = ''): boolean {
  return /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

function protect(reply: FastifyReply, policy = CONTENT_POLICY): void {
  reply
    .header('content-security-policy', policy)
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('referrer-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
}
