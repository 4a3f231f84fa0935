import { withoutInlineMarks } from '@docent/format/content/nodes/inline-runs.ts';
import type { Organization, SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { escapeHtml, type Html, inlineJson, trustedHtml } from '@docent/format/html.ts';
import { canonicalPath } from '@docent/format/site-files/sitemap.ts';
import { type Frame, fileAt, markdownPath, oncePerScope } from '../view/frame.ts';
import type { HeadPage } from '../view/page-view.ts';

/** Page-specific tags, which docs.json cannot set for all pages. */
const PAGE_TAGS: ReadonlySet<string> = new Set([
  'canonical',
  'charset',
  'viewport',
  'description',
  'og:title',
  'og:description',
  'og:url',
  'robots',
]);
const PROPERTY = /^(?:og|article|book|profile|video|music|fb):/;
const WEB_ADDRESS = /^https?:\/\//i;
/** Image dimensions that link previews request. */
const PREVIEW_SIZE = { 'og:image:width': '1200', 'og:image:height': '630' };

/**
 * Returns the site's root URL for canonical links: the author's own, otherwise the URL it is served
 * at.
 */
function canonicalRoot(frame: Frame): string | undefined {
  const canonicalUrl = frame.site.config.seo.metatags.canonical;
  const root = canonicalUrl && WEB_ADDRESS.test(canonicalUrl) ? canonicalUrl : frame.site.origin;
  return root?.replace(/(?<!\/)\/+$/, '');
}

function canonicalAddress(
  frame: Frame,
  page: HeadPage,
  root: string | undefined,
): string | undefined {
  if (page.canonical && WEB_ADDRESS.test(page.canonical)) return page.canonical;
  if (root === undefined) return undefined;
  const path = page.canonical?.startsWith('/')
    ? page.canonical
    : canonicalPath(page.href, frame.site.config);
  return encodeURI(root + path.toWellFormed());
}

function meta(name: string, content: string): string {
  const key = PROPERTY.test(name) ? 'property' : 'name';
  return `<meta ${key}="${escapeHtml(name)}" content="${escapeHtml(content)}">`;
}

/** Link preview images need an absolute URL; a site path gets the site's origin if it is known. */
function withOrigin({ site }: Frame, content: string): string {
  return content.startsWith('/') && !content.startsWith('//') && site.origin
    ? site.origin + content
    : content;
}

/** Precedence: the page's own tags, then docs.json, then generated ones. */
function previewTags(frame: Frame, page: HeadPage): string {
  const { name: siteName, seo } = frame.site.config;
  const { metatags = {} } = page;
  const hasImage = Object.hasOwn(metatags, 'og:image') || Object.hasOwn(seo.metatags, 'og:image');
  const drawn =
    hasImage || page.bare || page.unlisted ? undefined : frame.site.previewImage?.(page);
  const tags = {
    'twitter:card': hasImage || drawn !== undefined ? 'summary_large_image' : 'summary',
    'og:type': 'website',
    'og:site_name': siteName,
    ...seo.metatags,
    ...metatags,
    ...(drawn !== undefined && { 'og:image': drawn, ...PREVIEW_SIZE }),
  };
  let out = '';
  for (const [name, content] of Object.entries(tags)) {
    if (!PAGE_TAGS.has(name)) out += meta(name, withOrigin(frame, content));
  }
  return out;
}

function robots(frame: Frame, page: HeadPage): string | undefined {
  if (page.unlisted) return 'noindex';
  const { metatags } = frame.site.config.seo;
  return page.metatags?.robots ?? (Object.hasOwn(metatags, 'robots') ? metatags.robots : undefined);
}

/**
 * Links to the page in other languages, for search engines; nothing if the page has only one
 * language.
 */
function languageLinks(page: HeadPage, root: string): string {
  const { alternates = [] } = page;
  if (alternates.length < 2) return '';
  let out = '';
  for (const { language, href, isDefault } of alternates) {
    const address = escapeHtml(encodeURI(root + href.toWellFormed()));
    out += `<link rel="alternate" hreflang="${escapeHtml(language)}" href="${address}">`;
    if (isDefault) out += `<link rel="alternate" hreflang="x-default" href="${address}">`;
  }
  return out;
}

/** The page-specific part of the head: for browsers, search engines and link previews. */
export function pageTags(frame: Frame, page: HeadPage): Html {
  const { config } = frame.site;
  const title =
    page.title === config.name || page.title === ''
      ? config.name
      : `${page.title} - ${config.name}`;
  const plain =
    page.description === undefined ? config.description : withoutInlineMarks(page.description);
  const description = page.metatags?.['og:description'] ?? plain;
  const robotsRule = robots(frame, page);
  let out = `<title>${escapeHtml(title)}</title>`;
  if (plain) out += meta('description', plain);
  if (page.keywords?.length) out += meta('keywords', page.keywords.join(', '));
  if (robotsRule) out += meta('robots', robotsRule);
  out += meta('og:title', page.metatags?.['og:title'] ?? title);
  if (description) out += meta('og:description', description);
  out += previewTags(frame, page);
  if (page.bare) return trustedHtml(out);
  const root = canonicalRoot(frame);
  const canonical = canonicalAddress(frame, page, root);
  if (canonical)
    out += `<link rel="canonical" href="${escapeHtml(canonical)}">${meta('og:url', page.metatags?.['og:url'] ?? canonical)}`;
  out += `<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownPath(frame, page.href))}">`;
  if (page.feed)
    out += `<link rel="alternate" type="application/rss+xml" title="${escapeHtml(page.title)}" href="${escapeHtml(fileAt(frame, feedPath(page.href)))}">`;
  if (root !== undefined && !page.unlisted) out += languageLinks(page, root);
  if (root !== undefined && canonical && !page.unlisted)
    out += structuredData(frame, page, { root, canonical, description: plain });
  return trustedHtml(out);
}

/** Returns the site path of a page's feed. */
export function feedPath(href: string): string {
  return `${href === '/' ? '' : href}/rss.xml`;
}

interface PageAddress {
  /** URL of the site, without a trailing slash. */
  root: string;
  canonical: string;
  description: string | undefined;
}

type Thing = Record<string, unknown>;

/**
 * Returns the structured data of a page for search engines (JSON-LD, schema.org): the publisher,
 * the site, the page, its breadcrumbs, and whether it is an article or a reference.
 */
function structuredData(frame: Frame, page: HeadPage, address: PageAddress): string {
  const { root } = address;
  const site = oncePerScope(frame, `structured-data ${root}`, () =>
    [organization(frame.site.config, root), website(frame, root)]
      .map((thing) => inlineJson(thing))
      .join(','),
  );
  const things = pageThings(frame, page, address).map((thing) => inlineJson(thing));
  return `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[${site},${things.join(',')}]}</script>`;
}

function organization({ name, seo, logo }: SiteConfig, root: string): Thing {
  const organizationConfig: Organization = seo.organization ?? {};
  const picture = organizationConfig.logo ?? logo?.light;
  return {
    '@type': 'Organization',
    '@id': organizationId(organizationConfig),
    name: organizationConfig.name ?? name,
    legalName: organizationConfig.legalName,
    url: organizationConfig.url ?? `${root}/`,
    logo: picture === undefined ? undefined : wholeAddress(picture, root),
    sameAs: organizationConfig.sameAs,
  };
}

/** Other nodes refer to these by their ids, relative to the page unless the site names one. */
function organizationId(organizationConfig: Organization | undefined): string {
  return organizationConfig?.id ?? '#organization';
}

function website({ site }: Frame, root: string): Thing {
  const { name, description, seo } = site.config;
  return {
    '@type': 'WebSite',
    '@id': '#website',
    url: `${root}/`,
    name,
    description,
    publisher: { '@id': organizationId(seo.organization) },
  };
}

/** What one of these says of the page, the others do not repeat. */
function pageThings(
  { site, locale }: Frame,
  page: HeadPage,
  { root, canonical, description }: PageAddress,
): Thing[] {
  const { seo, name } = site.config;
  const publisher = { '@id': organizationId(seo.organization) };
  const trail = (page.trail ?? []).filter((crumb) => crumb.label !== '');
  const crumbs = [
    ...trail.map((crumb) => ({
      name: crumb.label,
      item: crumb.href ? wholeAddress(crumb.href, root) : undefined,
    })),
    // The last one is the page itself: search engines expect no address.
    { name: page.title },
  ];
  const image = page.metatags?.['og:image'];
  return [
    {
      '@type': 'WebPage',
      '@id': '#webpage',
      url: canonical,
      name: page.title || name,
      inLanguage: locale.tag,
      isPartOf: { '@id': '#website' },
      breadcrumb: { '@id': '#breadcrumb' },
    },
    {
      '@type': 'BreadcrumbList',
      '@id': '#breadcrumb',
      itemListElement: crumbs.map((crumb, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        ...crumb,
      })),
    },
    {
      '@type': page.isReference ? 'APIReference' : 'TechArticle',
      headline: page.title || name,
      description,
      mainEntityOfPage: { '@id': '#webpage' },
      author: publisher,
      publisher,
      keywords: page.keywords?.length ? page.keywords : undefined,
      dateModified: page.lastUpdated,
      image: image === undefined ? undefined : wholeAddress(image, root),
    },
  ];
}

function wholeAddress(address: string, root: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return address;
  return encodeURI(`${root}/${address.replace(/^(?:\.?\/)+/, '')}`.toWellFormed());
}
