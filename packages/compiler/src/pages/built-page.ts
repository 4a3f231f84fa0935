import { parseOperationReference } from '@docent/format/api-reference/find-operation.ts';
import type { BuiltPage } from '@docent/format/build/site-build.ts';
import type { Frontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import { pageContextual } from '@docent/format/docs-json/settings/content.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import type { PageFacts } from '@docent/format/navigation/page-facts.ts';
import { findDate } from '@docent/format/site-files/calendar-date.ts';
import { styledIcon } from '@docent/format/styled-icon.ts';
import type { PagePlan } from '../site/page-plans.ts';
import { relatedLinks } from '../site/related-links.ts';

interface PageOfSite {
  config: SiteConfig;
  facts: PageFacts | undefined;
  content: BuiltPage['content'];
  /** Whether the page contains changelog entries. */
  hasFeed: boolean;
  isPersonal: boolean;
}

/** Returns the manifest entry of one page. */
export function builtPage(
  page: PagePlan,
  { config, facts, content, hasFeed, isPersonal }: PageOfSite,
): BuiltPage {
  const { frontmatter, operation, changed, audience } = page;
  const built: BuiltPage = {
    path: page.path,
    href: page.href,
    file: page.file,
    title: page.title,
    mode: frontmatter.mode ?? 'default',
    content,
  };
  if (audience) built.audience = audience;
  if (frontmatter.description) built.description = frontmatter.description;
  if (frontmatter.sidebarTitle) built.sidebarTitle = frontmatter.sidebarTitle;
  if (frontmatter.icon) built.icon = styledIcon(frontmatter.icon, frontmatter.iconType);
  if (frontmatter.tag) built.tag = frontmatter.tag;
  if (frontmatter.deprecated) built.deprecated = true;
  const operationReference =
    operation ?? parseOperationReference(frontmatter.openapi ?? frontmatter.api ?? '');
  if (operationReference?.method) built.method = operationReference.method;
  if (frontmatter.url) built.externalUrl = frontmatter.url;
  if (frontmatter.canonical) built.canonical = frontmatter.canonical;
  if (frontmatter.keywords) built.keywords = frontmatter.keywords;
  if (frontmatter.hidden || facts?.hidden || (!facts && config.seo.indexing === 'navigable'))
    built.hidden = true;
  // A page that is merely missing from the menu is left out of the listings; only pages that the
  // author hides are kept from search engines.
  if (frontmatter.noindex || frontmatter.hidden || facts?.hidden) built.noindex = true;
  const menu = pageContextual(frontmatter.custom.contextual);
  if (menu) built.contextual = menu;
  if (frontmatter.hideFooterPagination) built.hideFooterPagination = true;
  const related = relatedLinks(frontmatter.custom.related);
  if (related.length > 0) built.related = related;
  if (facts?.version) built.version = facts.version;
  if (facts?.language) built.language = facts.language;
  if (hasFeed) built.feed = frontmatter.rss ? 'shown' : 'quiet';
  if (isPersonal) built.isPersonal = true;
  Object.assign(built, headFields(frontmatter, config, changed));
  return built;
}

const METATAG =
  /^(?:og|twitter|article|book|profile|fb):[\w:.-]+$|^(?:robots|author|google-site-verification)$/;

/** Returns the frontmatter fields for search engines and link previews. */
function headFields(
  { custom }: Frontmatter,
  config: SiteConfig,
  changed: string | undefined,
): Pick<BuiltPage, 'metatags' | 'lastUpdated' | 'showsLastUpdated'> {
  const metatags: Record<string, string> = {};
  for (const [name, value] of Object.entries(custom)) {
    if (METATAG.test(name) && (typeof value === 'string' || typeof value === 'number'))
      metatags[name] = String(value);
  }
  const date =
    (typeof custom.lastUpdatedDate === 'string' && findDate(custom.lastUpdatedDate)) || changed;
  const timestamp =
    typeof custom.timestamp === 'boolean' ? custom.timestamp : config.timestamp === true;
  return {
    ...(Object.keys(metatags).length > 0 ? { metatags } : {}),
    ...(date ? { lastUpdated: date } : {}),
    ...(date && timestamp ? { showsLastUpdated: true } : {}),
  };
}
