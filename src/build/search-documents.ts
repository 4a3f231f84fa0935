import type { ContentSection } from '../core/content/page-content.ts';
import type { PageFacts } from '../core/navigation/page-facts.ts';
import type { SearchDocument } from '../core/search/search-index.ts';
import type { PagePlan } from './site-model.ts';

/** The sections of one page as the search index takes them. */
export function searchDocuments(page: PagePlan, facts: PageFacts | undefined, sections: ContentSection[]): SearchDocument[] {
  const { frontmatter, operation } = page;
  const shared = {
    path: page.path,
    href: page.href,
    pageTitle: page.title,
    description: frontmatter.description ?? '',
    keywords: frontmatter.keywords ?? [],
    boost: frontmatter.boost ?? facts?.boost ?? 1,
    ...(facts?.version === undefined ? {} : { version: facts.version }),
    ...(facts?.language === undefined ? {} : { language: facts.language }),
    ...(facts?.tag === undefined ? {} : { tag: facts.tag }),
    ...(operation === undefined ? {} : { operation: `${operation.method} ${operation.route}` }),
  };
  const filled = sections.length > 0 ? sections : [{ anchor: '', headings: [], markdown: '', text: '', code: '' }];
  return filled.map((section) => ({ ...shared, ...section }));
}

/**
 * Whether search and answers know a page. Frontmatter `hidden`, `noindex` and `searchable: false` take it out; so does
 * standing in no navigation, unless the site says `seo.indexing: all`.
 */
export function isSearchable(page: PagePlan, facts: PageFacts | undefined, indexing: 'navigable' | 'all'): boolean {
  const { frontmatter } = page;
  if (frontmatter.hidden || frontmatter.noindex || frontmatter.url) return false;
  if (frontmatter.searchable === false || facts?.searchable === false) return false;
  return indexing === 'all' || (facts !== undefined && !facts.hidden);
}
