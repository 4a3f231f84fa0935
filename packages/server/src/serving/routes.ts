import { loadThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import { type PolicySources, policySources } from '@docent/compiler/pages/page-policy.ts';
import { createPreviewImages } from '@docent/compiler/preview-image/preview-images.ts';
import { siteNameOf } from '@docent/format/access/host-name.ts';
import type { Reader } from '@docent/format/access/may-read.ts';
import { integrationSources } from '@docent/format/docs-json/settings/integration-table.ts';
import { DocentError } from '@docent/format/errors.ts';
import { onceForEach, oncePerObject } from '@docent/format/once.ts';
import { hasRules } from '@docent/search/search-rules.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takeFeedback } from '../analytics/feedback.ts';
import { mcpRoute } from '../assistant/mcp-routes.ts';
import { isHiddenFrom } from '../audience/hidden-address.ts';
import type { Deps } from '../kernel/deps.ts';
import { shownSite } from '../kernel/http/asked-site.ts';
import { countSiteFetch } from '../kernel/http/count-fetch.ts';
import { readerSessionOf } from '../kernel/http/reader-of.ts';
import { hostSiteOf } from '../kernel/http/site-hosts.ts';
import { basePathOf } from '../kernel/sites/site-address.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type { SiteAnswer, SiteContent } from '../ports/site-content.ts';
import { isFirstPublish } from '../publishing/published-builds.ts';
import { refuseNobody } from '../readers/routes/reader-gate.ts';
import { keptSearchScripts } from '../search/search-scripts.ts';
import { liveContent, type SiteSource } from './live-content.ts';
import { type OpenedSite, serveSites } from './serve-sites.ts';
import { createSiteUses, type SiteUse } from './site-use.ts';
import { withViewBar } from './view-bar.ts';

const FIRST_PUBLISH =
  'This site is published for the first time, which takes a moment. The page appears by itself.';

/** A preview has the pages that every reader of its site sees, so it is compared with these. */
const WITHOUT_GROUPS: Reader = {
  id: 'preview',
  groups: [],
  content: {},
  apiPlaygroundInputs: {},
  expiresAt: new Date(8.64e15),
};

/**
 * Returns whether nobody in particular has to sign in for an address: on a private site for
 * everything that there is not without.
 */
function isForReaders(site: LiveSite, path: string, answer: SiteAnswer | undefined): boolean {
  const { isPrivate, canSignIn } = site.access;
  if (!isPrivate && !canSignIn) return false;
  const isNothing = answer === undefined || (answer.kind === 'body' && answer.status === 404);
  return isHiddenFrom(site, path) || (isPrivate && (isNothing || site.build.pages.length === 0));
}

/**
 * Serves the published sites: by `Host` at their own addresses, which `site-hosts.ts` maps to
 * `/sites/<slug>/…`, and on the platform's own name only in a sandbox (`site-hosts.ts`).
 */
export function siteRoutes(deps: Deps) {
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
    const { frameAncestors } = deps.config;

    const baseOf = (site: LiveSite, isOnHost: boolean) =>
      isOnHost ? basePathOf(site.settings.publicUrl) : `/sites/${site.slug}`;

    const openContent = async (site: LiveSite, isOnHost: boolean): Promise<SiteContent> => {
      const isLive = isOnHost && !site.preview;
      // A sandboxed page has an opaque origin and could be any page, so its questions cannot be
      // answered. Nor can those about a preview: conversations and their analytics belong to the
      // live site. Third-party scripts also run on the live site only.
      const use = useSite(site, baseOf(site, isOnHost), site.publicUrl, {
        isSandboxed: !isOnHost,
        hasSearchRules: hasRules(await deps.assistantSettings.searchRules(site.siteId)),
        hasAssistant: isLive && (await deps.assistantSettings.isShown(site.siteId)),
        hasAnalytics: isLive && (await deps.analytics.settings.isOn(site.siteId)),
        hasIntegrations: isLive && deps.config.integrations,
        live: site.preview && (await deps.liveSites.find(site.preview.site))?.as(WITHOUT_GROUPS),
      });
      return contentOf(use)(sourcesOf(site)(isLive));
    };

    /** For answers to everybody, which no session changes. */
    const repeatOf = (slug: string, isOnHost: boolean, content: SiteContent) => {
      const former = new WeakRef(content);
      const repeat: OpenedSite['repeat'] = async (request, path, answer) => {
        const site = await deps.liveSites.findShown(slug);
        if (!site || (await openContent(site, isOnHost)) !== former.deref()) return false;
        countSiteFetch(deps, site, request, path, answer);
        return true;
      };
      return repeat;
    };

    /** @throws DocentError `site_being_published` while its first build waits or runs */
    const openSite = async (request: FastifyRequest): Promise<LiveSite> => {
      try {
        return await shownSite(deps, request);
      } catch (error) {
        const { slug } = request.params as { slug: string };
        const isMissing = error instanceof DocentError && error.code === 'site_not_found';
        const name = isMissing ? siteNameOf(slug, deps.config)?.toLowerCase() : undefined;
        if (name === undefined || !(await isFirstPublish(deps.database.queries, name))) throw error;
        throw new DocentError('site_being_published', FIRST_PUBLISH, { retryAfterSeconds: 2 });
      }
    };

    const open = async (request: FastifyRequest): Promise<OpenedSite> => {
      const site = await openSite(request);
      const isOnHost = hostSiteOf(request.raw) !== undefined;
      const basePath = baseOf(site, isOnHost);
      const content = await openContent(site, isOnHost);
      const owner = site.organizationId;
      const onAnswer: OpenedSite['onAnswer'] = (path, answer) =>
        countSiteFetch(deps, site, request, path, answer);
      // Whoever signed in sees that it is not there; others may be readers of it.
      const session = await readerSessionOf(deps, request, site);
      const user = session?.reader;
      if (user && session.method === 'view')
        return { content: withViewBar(content, user.groups, basePath), basePath, owner, user };
      if (user) return { content, basePath, owner, user, onAnswer };
      const refuse: OpenedSite['refuse'] = (path, answer, reply) =>
        isForReaders(site, path, answer) ? refuseNobody(request, reply, site) : undefined;
      const { slug } = request.params as { slug: string };
      const repeat = site.access.canSignIn ? undefined : repeatOf(slug, isOnHost, content);
      return { content, basePath, owner, onAnswer, refuse, repeat };
    };
    const sourcesFor = (site: LiveSite, isLive: boolean) => {
      const sources = policySources(site.build, site.security, frameAncestors);
      const { integrations } = site.build.config;
      if (!integrations || !isLive || !deps.config.integrations) return sources;
      return {
        ...sources,
        scriptSources: [...sources.scriptSources, ...integrationSources(integrations.services)],
      };
    };

    const sourcesOf = oncePerObject((site: LiveSite) =>
      onceForEach((isLive: boolean) => sourcesFor(site, isLive)),
    );

    const contentOf = oncePerObject((use: SiteUse) =>
      onceForEach((rules: PolicySources) => liveContent(use, source, rules)),
    );

    mcpRoute(app, { ...deps, takeFeedback: (...said) => takeFeedback(deps, ...said) });
    serveSites(app, open);
  };
}
