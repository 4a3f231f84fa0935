import type { SearchHit, SearchIndex } from '../search-index.ts';

/**
 * Combines several indexes: those of a site's languages. A page without a language is in each of them, but is found once.
 * Sections have no common number, so semantic search does not apply.
 */
export function joinIndexes(indexes: readonly SearchIndex[]): SearchIndex {
  const [only] = indexes;
  if (indexes.length === 1 && only) return only;
  const all = (of: (index: SearchIndex) => readonly string[]) => [...new Set(indexes.flatMap(of))];
  return {
    pageCount: indexes.reduce((count, index) => count + index.pageCount, 0),
    documentCount: indexes.reduce((count, index) => count + index.documentCount, 0),
    versions: all((index) => index.versions),
    languages: all((index) => index.languages),
    search(query, { addMeaning, ...options }) {
      const { language } = options.filter ?? {};
      const asked = indexes.filter((index) => language === undefined || index.languages.includes(language));
      const hits = (asked.length > 0 ? asked : indexes).flatMap((index) => index.search(query, options));
      return withoutTwins(hits.sort(byWorth)).slice(0, options.limit);
    },
    sectionsOf(path) {
      for (const index of indexes) {
        const sections = index.sectionsOf(path);
        if (sections.length > 0) return sections;
      }
      return [];
    },
  };
}

function byWorth(a: SearchHit, b: SearchHit): number {
  return Number(b.isNamed ?? false) - Number(a.isNamed ?? false) || b.score - a.score;
}

function withoutTwins(hits: readonly SearchHit[]): SearchHit[] {
  const places = new Set<string>();
  return hits.filter(({ document: { path, anchor } }) => {
    const place = `${path}#${anchor}`;
    return !places.has(place) && places.add(place);
  });
}
