import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loadThemeFiles } from '../../../compiler/assets/theme-files.ts';
import { fileKey } from '../../../compiler/bundle/file-sink.ts';
import { policySources } from '../../../compiler/pages/page-policy.ts';
import { createPreviewImages } from '../../../compiler/preview-image/preview-images.ts';
import { agentLinks } from '../../../compiler/site/agent-files.ts';
import { isCompressible } from '../../../compiler/source/media-types.ts';
import { integrationSources } from '../../../core/docs-json/integration-table.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import { keptSearchScripts } from '../../../services/search/search-scripts.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import { countSiteFetch } from '../../count-fetch.ts';
import { hostSiteOf } from '../../rewrite-host.ts';
import { answerSiteRequest, type SiteAnswer, type SiteSource } from './answer-site-request.ts';
import { chooseEncoding, createBodyCache, encodeBody } from './body-cache.ts';
import { bodyEtag, cacheControl, fileVersion, isUnchanged, wantedRange } from './conditional-requests.ts';
import { wantsMarkdown } from './content-rules.ts';
import { asksForMcpStream, mcpRoute, refuseMcpStream } from './mcp.ts';
import { siteHeaders } from './site-headers.ts';
import { createSiteUses } from './site-use.ts';
import { dependsOnLanguage, startInLanguage } from './start-language.ts';

/** Rendered pages kept in memory, compressed. */
const BODY_CACHE_BYTES = 48 * 1024 * 1024;

/**
 * Serves the published sites: by `Host` at their own addresses, which `rewrite-host.ts` turns into `/sites/<slug>/…`, and on the
 * platform's own name only in a sandbox (`site-origins.ts`).
 */
export function siteRoutes(
  deps: Pick<
    Deps,
    'liveSites' | 'blobs' | 'config' | 'limiter' | 'assistantSettings' | 'siteSearch' | 'analytics' | 'database' | 'clock'
  >,
) {
  return async (app: FastifyInstance): Promise<void> => {
    const previews = createPreviewImages(deps.blobs);
    app.addHook('onClose', () => previews.close());
    const source: SiteSource = {
      blobs: deps.blobs,
      theme: await loadThemeFiles(),
      previews,
      searchScript: keptSearchScripts(deps),
    };
    const useSite = createSiteUses(source.theme);
    const bodies = createBodyCache(BODY_CACHE_BYTES);
    const { publicUrl, frameAncestors } = deps.config;
    const isHttps = publicUrl.startsWith('https:');

    /** Scripts of other services run on the live site alone: not in previews, and not in the sandbox. */
    const loadsIntegrations = (request: FastifyRequest, site: LiveSite): boolean =>
      deps.config.integrations && !site.preview && hostSiteOf(request.raw) !== undefined;
    const sourcesOf = (request: FastifyRequest, site: LiveSite) => {
      const sources = policySources(site.build, site.security, frameAncestors);
      const { integrations } = site.build.config;
      if (!integrations || !loadsIntegrations(request, site)) return sources;
      return { ...sources, scriptSources: [...sources.scriptSources, ...integrationSources(integrations.services)] };
    };

    const handle = async (request: FastifyRequest<{ Params: { slug: string; '*'?: string } }>, reply: FastifyReply) => {
      if (asksForMcpStream(request, request.params['*'])) refuseMcpStream(reply);
      const site = await deps.liveSites.findShown(request.params.slug);
      if (!site) throw new DocentError('site_not_found', `There is no published site "${request.params.slug}".`);
      const host = hostSiteOf(request.raw);
      const basePath = host ? '' : `/sites/${site.slug}`;
      const rest = request.params['*'];
      const [, ...query] = request.url.split('?');
      const search = query.length > 0 ? `?${query.join('?')}` : '';
      if (rest === undefined && !host) return reply.redirect(`${basePath}/${search}`, 308);
      // A sandboxed page is of no origin, and what is of no origin may be any page; so its questions cannot be answered.
      // Nor are those about a preview: conversations and their analytics are the live site's.
      const hasAssistant = basePath === '' && !site.preview && (await deps.assistantSettings.isShown(site.siteId));
      const hasAnalytics = basePath === '' && !site.preview && (await deps.analytics.settings.isOn(site.siteId));
      const use = useSite(site, basePath, site.publicUrl, {
        hasAssistant,
        hasAnalytics,
        hasIntegrations: loadsIntegrations(request, site),
      });
      const path = `/${rest ?? ''}`;
      const isMarkdown = wantsMarkdown(request.headers.accept);
      if (dependsOnLanguage(use, path)) {
        reply.header('vary', 'accept-language, referer, sec-fetch-site, accept, accept-encoding');
        const start = isMarkdown ? undefined : startInLanguage(request, use, path);
        if (start !== undefined)
          return send(request, reply, site, {
            kind: 'redirect',
            status: 307,
            location: `${basePath}${encodeURI(start)}${search}`,
          });
      }
      const answer = answerSiteRequest(use, source, path, search, isMarkdown);
      countSiteFetch(deps, site, request, path, answer);
      if (answer.kind === 'text' && answer.page !== undefined) leadPrograms(reply, basePath, answer.page);
      return send(request, reply, site, answer);
    };

    const send = async (request: FastifyRequest, reply: FastifyReply, site: LiveSite, answer: SiteAnswer) => {
      const type = answer.kind === 'redirect' ? undefined : answer.kind === 'file' ? answer.file.type : answer.type;
      reply.headers(siteHeaders(type, { isHttps, ...sourcesOf(request, site) }));
      if (site.settings.noindex) reply.header('x-robots-tag', 'noindex');
      if (answer.kind === 'redirect') return reply.redirect(answer.location, answer.status);
      reply.header('cache-control', cacheControl(answer.immutable));
      if (answer.kind === 'file') return sendFile(request, reply, answer);
      const encoding = isCompressible(answer.type) ? chooseEncoding(request.headers['accept-encoding']) : 'identity';
      const etag = bodyEtag(answer.version, encoding);
      if (!reply.hasHeader('vary'))
        reply.header('vary', answer.page === undefined ? 'accept-encoding' : 'accept, accept-encoding');
      reply.header('etag', etag).type(answer.type);
      if (answer.status === 200 && isUnchanged(request.headers, etag)) return reply.code(304).send();
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      const { ready } = answer;
      // Nothing of a site is in the theme, and a sandboxed page loads modules and fonts across origins.
      if (ready) reply.header('access-control-allow-origin', '*');
      // Pages for addresses without a page differ for each of them; keeping them would push out those that are read.
      if (answer.status === 404) return reply.code(404).send(await encodeBody(await answer.body(), encoding));
      const bytes = ready
        ? { br: ready.brotli, gzip: ready.gzip, identity: ready.bytes }[encoding]
        : await bodies.get(answer.version, encoding, answer.body);
      return reply.code(answer.status).send(bytes);
    };

    const sendFile = async (request: FastifyRequest, reply: FastifyReply, { file }: Extract<SiteAnswer, { kind: 'file' }>) => {
      const etag = bodyEtag(fileVersion(file), 'identity');
      reply.header('etag', etag).header('accept-ranges', 'bytes').type(file.type);
      if (isUnchanged(request.headers, etag)) return reply.code(304).send();
      const range = request.method === 'GET' ? wantedRange(request.headers, etag, file.sizeBytes) : undefined;
      if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${file.sizeBytes}`).send();
      if (range) {
        reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
        reply.header('content-length', range.end - range.start + 1);
      } else {
        reply.header('content-length', file.sizeBytes);
      }
      if (request.method === 'HEAD') return reply.send();
      const bytes = await deps.blobs.get(fileKey(file), range);
      if (!bytes) throw new Error(`The file ${file.sha256} is missing from the blob store.`);
      return reply.send(Readable.from(bytes));
    };

    mcpRoute(app, deps);
    for (const url of ['/sites/:slug', '/sites/:slug/*']) {
      app.route({ method: ['GET', 'HEAD'], url, handler: handle, schema: { hide: true } });
    }
  };
}

/** Names what programs can read in place of a page (RFC 8288). */
function leadPrograms(reply: FastifyReply, basePath: string, href: string): void {
  const markdown = encodeURI(`${basePath}${href === '/' ? '/index' : href}.md`);
  const links = [...agentLinks(basePath, true), `<${markdown}>; rel="alternate"; type="text/markdown"`];
  reply.header('link', links.join(', ')).header('x-llms-txt', `${basePath}/llms.txt`);
}
