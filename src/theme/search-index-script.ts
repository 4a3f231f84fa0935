import { inlineJson } from './parts/inline-data.ts';
import type { SearchIndexPayload } from './search-index-payload.ts';

function payloadOf(bytes: Uint8Array): SearchIndexPayload {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

/**
 * Wraps the search index into a script, because a page opened from the disk may load scripts but may not fetch files.
 * The script sets `globalThis.__docentSearchIndex`; `elements/search-loader.ts` turns that back into the same bytes.
 */
export function searchIndexScript(indexBytes: Uint8Array): string {
  return `globalThis.__docentSearchIndex=${inlineJson(payloadOf(indexBytes))};\n`;
}
