import type { SearchDocument } from '../../../core/search/search-index.ts';

/** Returns a page's place in the site for readers: its place in the navigation, otherwise the folders of its path. */
export function pageTrail({ trail, href }: Pick<SearchDocument, 'trail' | 'href'>): string {
  return trail === undefined ? folders(href).join(' / ') : trail.join(' › ');
}

/** `/api-reference/2026-04/get` → `api reference`, `2026-04`. */
export function folders(href: string): string[] {
  const segments = href.split('/').slice(1, -1);
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment).replace(/(?<=\p{L})[-_]+(?=\p{L})/gu, ' ');
    } catch {
      return segment;
    }
  });
}
