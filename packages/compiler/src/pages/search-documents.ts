import { parseOperationReference } from '@docent/format/api-reference/find-operation.ts';
import { withoutInlineMarks } from '@docent/format/content/nodes/inline-runs.ts';
import type { ContentSection } from '@docent/format/content/page/page-content.ts';
import type { PageFacts } from '@docent/format/navigation/page-facts.ts';
import type { SearchPage } from '@docent/search/load/build-search-index.ts';
import type { SectionText } from '@docent/search/load/page-terms.ts';
import type { PagePlan } from '../site/page-plans.ts';

/**
 * Returns the symbol or operation that a page shows: the one that it was generated from, or that
 * its frontmatter names.
 */
function operationOf({ operation, symbol, frontmatter }: PagePlan): string | undefined {
  if (symbol) return symbol.id;
  const reference =
    operation ?? parseOperationReference(frontmatter.openapi ?? frontmatter.api ?? '');
  return reference && `${reference.method} ${reference.route}`;
}

const NO_TEXT: SectionText = { anchor: '', headings: [], markdown: '', text: '', code: '' };

/** Returns the sections of a page as the search index has them: there is at least one. */
export function searchSections(sections: readonly ContentSection[]): readonly SectionText[] {
  return sections.length > 0 ? sections : [NO_TEXT];
}

/** Returns what the search index has of a page besides its text. */
export function searchPage(page: PagePlan, facts: PageFacts | undefined): SearchPage {
  const { frontmatter } = page;
  const operation = operationOf(page);
  return {
    path: page.path,
    href: page.href,
    pageTitle: page.title,
    ...(frontmatter.sidebarTitle === undefined ? {} : { sidebarTitle: frontmatter.sidebarTitle }),
    description: withoutInlineMarks(frontmatter.description ?? ''),
    keywords: frontmatter.keywords ?? [],
    boost: frontmatter.boost ?? facts?.boost ?? 1,
    ...(facts?.version === undefined ? {} : { version: facts.version }),
    ...(facts?.language === undefined ? {} : { language: facts.language }),
    ...(facts?.versions !== undefined && facts.versions.length > 1 && { versions: facts.versions }),
    ...(facts?.languages !== undefined &&
      facts.languages.length > 1 && { languages: facts.languages }),
    ...(facts?.trail === undefined || facts.trail.length === 0 ? {} : { trail: facts.trail }),
    ...(facts?.tag === undefined ? {} : { tag: facts.tag }),
    ...(operation === undefined ? {} : { operation }),
    ...(page.operationId === undefined ? {} : { operationId: page.operationId }),
  };
}

/**
 * Returns whether search and answers include a page. Frontmatter `hidden`, `noindex` and
 * `searchable: false` exclude it, and so does being absent from the navigation, unless the site
 * sets `seo.indexing: all`.
 */
export function isSearchable(
  page: PagePlan,
  facts: PageFacts | undefined,
  indexing: 'navigable' | 'all',
): boolean {
  const { frontmatter } = page;
  if (frontmatter.hidden || frontmatter.noindex || frontmatter.url) return false;
  if (frontmatter.searchable === false || facts?.searchable === false) return false;
  return indexing === 'all' || (facts !== undefined && !facts.hidden);
}
