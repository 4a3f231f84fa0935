import { inlineJson } from '../core/inline-json.ts';
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
 * The script sets `globalThis.__docentSearchIndex`; `elements/search/search-loader.ts` turns that back into the same bytes.
 */
export function searchIndexScript(indexBytes: Uint8Array): string {
  return `globalThis.__docentSearchIndex=${inlineJson(payloadOf(indexBytes))};\n`;
}

/** The script of an index in parts: its head, and all parts of it where they are to come with it. */
export function searchHeadScript(head: string, parts: readonly string[] = []): string {
  return `globalThis.__docentSearchIndex={parts:[${[head, ...parts].map(quoted).join(',')}]};\n`;
}

/** The script of one part, which gives it to the page that asked for it. */
export function searchPartScript(part: number, packed: string): string {
  return `__docentSearchPart(${part},${quoted(packed)});\n`;
}

/** Parts are made of characters that stand for themselves between quotes. */
const quoted = (packed: string): string => `"${packed}"`;
