import { readFile } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { loadDashboard } from '../../../compiler/assets/dashboard-files.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { chooseEncoding } from '../site/body-cache.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable';
const ICON_CACHE = 'public, max-age=3600';

/**
 * `GET /dashboard/…`: the page of the dashboard, its files and its icon; `GET /` leads there. All of it is the same for everybody:
 * what a user sees, the page asks the API for.
 */
export function dashboardRoutes(app: App, { config }: Pick<Deps, 'config'>): void {
  const policy = contentPolicy(config);
  app.route({
    method: 'GET',
    url: '/',
    schema: { hide: true },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-cache').header('vary', 'accept');
      if (!asksForJson(request.headers.accept)) return reply.redirect('/dashboard', 302);
      const { publicUrl } = config;
      return reply.send({ name: 'Docent', dashboard: `${publicUrl}/dashboard`, openapi: `${publicUrl}/openapi.json` });
    },
  });

  for (const url of ['/dashboard', '/dashboard/*'])
    app.route({
      method: 'GET',
      url,
      schema: { hide: true },
      handler: async (_request, reply) => {
        const { html } = await loadedDashboard();
        protect(reply, policy);
        return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
      },
    });

  app.route({
    method: 'GET',
    url: '/dashboard/assets/:name',
    schema: { hide: true, params: z.object({ name: z.string() }) },
    handler: async (request, reply) => {
      const file = await (await loadedDashboard()).file(request.params.name);
      if (!file) throw new DocentError('route_not_found', 'The dashboard has no file of that name; reload the page.');
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      protect(reply, policy);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.header('cache-control', FOR_GOOD).header('vary', 'accept-encoding').type(file.type).send(file[encoding]);
    },
  });

  app.route({
    method: 'GET',
    url: '/dashboard/favicon.svg',
    schema: { hide: true },
    handler: async (_request, reply) => {
      const drawing = await readFile(new URL('../../../../docs/favicon.svg', import.meta.url));
      protect(reply, policy);
      return reply.header('cache-control', ICON_CACHE).type('image/svg+xml').send(drawing);
    },
  });
}

let dashboard: ReturnType<typeof loadDashboard> | undefined;

/** Read with the first request: the API runs without a dashboard too. */
function loadedDashboard(): ReturnType<typeof loadDashboard> {
  dashboard ??= loadDashboard();
  return dashboard;
}

function asksForJson(accept = ''): boolean {
  return /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

/**
 * Nothing but our own files and the API; pictures also of sites, which are shown by their link previews. React sets styles through
 * the DOM, which no policy restricts, so no inline style is allowed.
 */
function contentPolicy({ publicUrl, sitesDomain }: Pick<Deps['config'], 'publicUrl' | 'sitesDomain'>): string {
  const { protocol, port } = new URL(publicUrl);
  const sites = sitesDomain === undefined ? '' : ` ${protocol}//*.${sitesDomain}${port && `:${port}`}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data:${sites}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function protect(reply: FastifyReply, policy: string): void {
  reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('referrer-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
}
