import { loadSearchIndex } from '../../core/search/load-search-index.ts';
import type { SearchIndex } from '../../core/search/search-index.ts';
import type { SearchIndexPayload } from '../search-index-payload.ts';
import { pageData } from './page-data.ts';
import { loadScript } from './search-opener.ts';

declare global {
  var __docentSearchIndex: SearchIndexPayload | undefined;
}

function bytesOf(payload: SearchIndexPayload): Uint8Array {
  if ('text' in payload) return new TextEncoder().encode(payload.text);
  return Uint8Array.from(atob(payload.base64), (char) => char.charCodeAt(0));
}

async function load(): Promise<SearchIndex> {
  await loadScript(pageData().search.index);
  const payload = globalThis.__docentSearchIndex;
  if (!payload) throw new Error('The search index is empty.');
  // The text is not needed twice in memory.
  globalThis.__docentSearchIndex = undefined;
  return loadSearchIndex(bytesOf(payload));
}

let loading: Promise<SearchIndex> | undefined;

/** The index of the site, loaded once. A failed try is forgotten, so that the next one starts anew. */
export function searchIndex(): Promise<SearchIndex> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
