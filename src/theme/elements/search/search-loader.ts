import { loadSearchIndex } from '../../../core/search/load-search-index.ts';
import { openPartedIndex, type PartedIndex } from '../../../core/search/parts/parted-index.ts';
import type { SearchIndexPayload } from '../../search-index-payload.ts';
import { pageData } from '../page-data.ts';
import { loadScript } from './search-opener.ts';

declare global {
  var __docentSearchIndex: SearchIndexPayload | undefined;
  var __docentSearchPart: ((part: number, packed: string) => void) | undefined;
}

/** The index of the site as the dialog asks it. */
export interface SiteSearch extends PartedIndex {
  /** Whether a search may have to fetch something. */
  fetches: boolean;
}

function bytesOf(payload: { text: string } | { base64: string }): Uint8Array {
  if ('text' in payload) return new TextEncoder().encode(payload.text);
  return Uint8Array.from(atob(payload.base64), (char) => char.charCodeAt(0));
}

/** Parts that a script has brought and nobody has taken yet. */
const brought = new Map<number, string>();

/** A part is a script beside the head, because a page opened from the disk may load scripts but may not fetch files. */
async function loadPart(headAddress: string, part: number): Promise<string> {
  globalThis.__docentSearchPart = (number, packed) => brought.set(number, packed);
  await loadScript(headAddress.replace(/\.js$/, `-${part}.js`));
  const packed = brought.get(part);
  brought.delete(part);
  if (packed === undefined) throw new Error('A part of the search index is empty.');
  return packed;
}

function openParts([head = '', ...inline]: string[], address: string): SiteSearch {
  const fetches = inline.length === 0;
  const index = openPartedIndex(head, async (part) => inline[part] ?? loadPart(address, part));
  return { ...index, fetches };
}

async function load(address: string): Promise<SiteSearch> {
  await loadScript(address);
  const payload = globalThis.__docentSearchIndex;
  if (!payload) throw new Error('The search index is empty.');
  // The text is not needed twice in memory.
  globalThis.__docentSearchIndex = undefined;
  if ('parts' in payload) return openParts(payload.parts, address);
  const index = loadSearchIndex(bytesOf(payload));
  const { documentCount, versions, languages } = index;
  return { documentCount, versions, languages, fetches: false, search: async (query, options) => index.search(query, options) };
}

const loading = new Map<string, Promise<SiteSearch>>();

/** Address of the index that the open page is searched with: that of its language. */
export function searchAddress(): string {
  return new URL(pageData().search.index, document.baseURI).href;
}

/** The index of the page's language, loaded once. A failed try is forgotten, so that the next one starts anew. */
export function searchIndex(): Promise<SiteSearch> {
  const address = searchAddress();
  const known = loading.get(address);
  if (known) return known;
  const started = load(address);
  loading.set(address, started);
  started.catch(() => loading.delete(address));
  return started;
}
