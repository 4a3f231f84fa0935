import { createHash } from 'node:crypto';
import type { ThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import type { PreviewImages } from '@docent/compiler/preview-image/preview-images.ts';
import { cardHash, previewCard } from '@docent/compiler/preview-image/preview-images.ts';
import { type SearchCut, searchHead, wholeCut } from '@docent/compiler/site/search-scripts.ts';
import { hostedAddresses } from '@docent/compiler/site/site-addresses.ts';
import { createSiteRenderer, type SiteRenderer } from '@docent/compiler/site/site-renderer.ts';
import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { listChanges } from '@docent/format/deployments/listed-changes.ts';
import { oncePerObject } from '@docent/format/once.ts';
import { createRedirects } from '@docent/format/site-files/redirects.ts';
import type { PreviewNotice } from '@docent/theme/view/page-view.ts';
import { LRUCache } from 'lru-cache';
import { pagesByHref } from '../kernel/sites/site-pages.ts';
import type { LiveSite, ShownPreview } from '../ports/live-sites.ts';
import type { SiteBody } from '../ports/site-content.ts';

/**
 * A live site as it is served at one base path; everything that can be prepared ahead of a request.
 */
export interface SiteUse {
  site: LiveSite;
  /**
   * `''` or `/docs` on the site's own host; `/sites/<slug>` on the platform's, where pages are sandboxed.
   */
  basePath: string;
  renderer: SiteRenderer;
  pagesByHref: ReadonlyMap<string, BuiltPage>;
  redirect: ReturnType<typeof createRedirects>;
  /** The scripts under `/_docent/` that contain the search index. */
  searchCut: SearchCut;
  /**
   * Identifies everything that a rendered page depends on, for `ETag`s and caching. Two sites with
   * the same source have the same build, but not the same address.
   */
  version: string;
}

interface SiteUseOptions {
  isSandboxed?: boolean;
  hasAssistant?: boolean;
  /** The owners of the site steer its search. */
  hasSearchRules?: boolean;
  hasAnalytics?: boolean;
  hasIntegrations?: boolean;
  /** The live site that a preview is compared with. */
  live?: LiveSite | undefined;
}

/** Uses of one build. Each publish of the live site is another use of its previews. */
const MAX_USES = 8;
const redirectsOf = oncePerObject(({ config }: SiteBuild) => createRedirects(config.redirects));
const cutOf = oncePerObject((build: SiteBuild) => wholeCut(build));

/** Creates the uses of live sites, each once. */
export function createSiteUses(
  theme: ThemeFiles,
): (site: LiveSite, basePath: string, origin: string, options?: SiteUseOptions) => SiteUse {
  const themeVersion = [...theme.values()].map((file) => file.sha256).join();
  const usesBySite = new WeakMap<LiveSite, LRUCache<string, SiteUse>>();
  return (site, basePath, origin, options = {}) => {
    const {
      isSandboxed = false,
      hasAssistant = false,
      hasSearchRules = false,
      hasAnalytics = false,
      hasIntegrations = false,
      live,
    } = options;
    const uses = usesBySite.get(site) ?? new LRUCache<string, SiteUse>({ max: MAX_USES });
    usesBySite.set(site, uses);
    const name = `${basePath} ${isSandboxed} ${hasAssistant} ${hasSearchRules} ${hasAnalytics} ${hasIntegrations} ${live?.deploymentId} ${live?.publicUrl}`;
    const cachedUse = uses.get(name);
    if (cachedUse) return cachedUse;
    const { build } = site;
    const searchCut = cutOf(build);
    const use: SiteUse = {
      site,
      basePath,
      renderer: createSiteRenderer(build, {
        addresses: hostedAddresses(basePath, build),
        assetFile: (asset) => theme.get(asset)?.name ?? asset,
        searchIndexFile: (language) => searchHead(searchCut, language),
        origin,
        mcpUrl: `${origin}/mcp`,
        hasAssistant,
        hasIntegrations,
        ...(hasSearchRules && { searchRulesUrl: '/_docent/search-rules.js' }),
        ...(hasAnalytics && { analyticsUrl: '/_docent/events' }),
        // A sandboxed page has an opaque origin, and its requests are refused.
        ...(!isSandboxed && { feedbackUrl: '/_docent/feedback' }),
        ...(site.preview && { preview: noticeOf(site, site.preview, live) }),
        previewImage: (page) => `${origin}${previewPath(build, page)}`,
      }),
      pagesByHref: pagesByHref(build),
      redirect: redirectsOf(build),
      searchCut,
      version: createHash('sha256')
        .update(`${build.id} ${name} ${origin} ${themeVersion}`)
        .digest('base64url')
        .slice(0, 16),
    };
    uses.set(name, use);
    return use;
  };
}

function noticeOf(
  { build }: LiveSite,
  { branch }: ShownPreview,
  live: LiveSite | undefined,
): PreviewNotice {
  const notice = { name: branch, id: build.id.slice(0, 16) };
  return live
    ? { ...notice, live: { url: live.publicUrl, changes: listChanges(live, build) } }
    : notice;
}

const FOLDER = '/_docent/og';
const VERSION_LENGTH = 12;

/**
 * Returns the site path of a page's link preview image; a part of its hash in the query lets it be
 * cached forever.
 */
function previewPath(build: SiteBuild, page: BuiltPage): string {
  const version = cardHash(previewCard(build, page)).slice(0, VERSION_LENGTH);
  return `${FOLDER}${encodeURI(page.href === '/' ? '/index' : page.href)}.png?v=${version}`;
}

/**
 * Returns the image at a path of a site: a PNG, or the same drawn smaller as a WebP.
 * @param path decoded path inside the site
 * @param query unparsed, with `?`, or empty
 */
export function previewAt(
  { site: { build }, pagesByHref: pages, renderer }: SiteUse,
  previews: PreviewImages,
  path: string,
  query: string,
): SiteBody | undefined {
  const [, href, extension] =
    /^(.*)\.(png|webp)$/.exec(path.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length) : '') ?? [];
  if (href === undefined) return undefined;
  const isOfSite = href === '/index' && !pages.has('/index');
  // The picture of the site as a whole is that of the page that opens first, which may have any
  // address.
  const page = isOfSite
    ? (pages.get('/') ?? pages.get(renderer.firstPage?.href ?? ''))
    : pages.get(href);
  if (!page || (page.noindex && !isOfSite)) return undefined;
  const card = previewCard(build, page);
  const hash = cardHash(card);
  return {
    kind: 'body',
    status: 200,
    type: `image/${extension}`,
    version: `${hash.slice(0, 16)}-${extension}`,
    immutable: query === `?v=${hash.slice(0, VERSION_LENGTH)}`,
    read: () => previews.get(card, extension === 'png' ? 'full' : 'small'),
  };
}
