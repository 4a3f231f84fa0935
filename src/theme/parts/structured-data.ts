import type { Organization, SiteConfig } from '../../core/docs-json/site-config.ts';
import { inlineJson } from '../../core/html.ts';
import { type Frame, oncePerScope } from '../frame.ts';
import type { HeadPage } from '../page-view.ts';

interface PageAddress {
  /** URL of the site, without a trailing slash. */
  root: string;
  canonical: string;
  description: string | undefined;
}

type Thing = Record<string, unknown>;

/**
 * Returns the structured data of a page for search engines (JSON-LD, schema.org): the publisher, the site, the page, its
 * breadcrumbs, and whether it is an article or a reference.
 */
export function structuredData(frame: Frame, page: HeadPage, address: PageAddress): string {
  const { root } = address;
  const site = oncePerScope(frame, `structured-data ${root}`, () =>
    [organization(frame.site.config, root), website(frame, root)].map((thing) => inlineJson(thing)).join(','),
  );
  const things = pageThings(frame, page, address).map((thing) => inlineJson(thing));
  return `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[${site},${things.join(',')}]}</script>`;
}

function organization({ name, seo, logo }: SiteConfig, root: string): Thing {
  const own: Organization = seo.organization ?? {};
  const picture = own.logo ?? logo?.light;
  return {
    '@type': 'Organization',
    '@id': organizationId(own, root),
    name: own.name ?? name,
    legalName: own.legalName,
    url: own.url ?? `${root}/`,
    logo: picture === undefined ? undefined : wholeAddress(picture, root),
    sameAs: own.sameAs,
  };
}

function organizationId(own: Organization | undefined, root: string): string {
  return own?.id ?? `${root}/#organization`;
}

function website({ site }: Frame, root: string): Thing {
  const { name, description, seo } = site.config;
  return {
    '@type': 'WebSite',
    '@id': `${root}/#website`,
    url: `${root}/`,
    name,
    description,
    publisher: { '@id': organizationId(seo.organization, root) },
  };
}

function pageThings({ site, locale }: Frame, page: HeadPage, { root, canonical, description }: PageAddress): Thing[] {
  const { seo, name } = site.config;
  const publisher = { '@id': organizationId(seo.organization, root) };
  const trail = (page.trail ?? []).filter((crumb) => crumb.label !== '');
  const crumbs = [
    ...trail.map((crumb) => ({ name: crumb.label, item: crumb.href ? wholeAddress(crumb.href, root) : undefined })),
    { name: page.title, item: canonical },
  ];
  const image = page.metatags?.['og:image'];
  return [
    {
      '@type': 'WebPage',
      '@id': canonical,
      url: canonical,
      name: page.title || name,
      description,
      inLanguage: locale.tag,
      isPartOf: { '@id': `${root}/#website` },
      breadcrumb: { '@id': `${canonical}#breadcrumb` },
      dateModified: page.lastUpdated,
    },
    {
      '@type': 'BreadcrumbList',
      '@id': `${canonical}#breadcrumb`,
      itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
    },
    {
      '@type': page.isReference ? 'APIReference' : 'TechArticle',
      '@id': `${canonical}#article`,
      headline: page.title || name,
      description,
      inLanguage: locale.tag,
      mainEntityOfPage: { '@id': canonical },
      isPartOf: { '@id': `${root}/#website` },
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
