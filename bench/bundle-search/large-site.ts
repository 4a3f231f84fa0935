import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { buildInMemory, documentsIn } from '../build-in-memory.ts';

/** Replaces about every fourth of a text's longer words with another, always the same one. */
function varied(text: string): string {
  return text.replace(/[a-z]{6,}/g, (word) => {
    let hash = 0;
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) >>> 0;
    return hash % 4 === 0
      ? word.slice(0, -2) + String.fromCharCode(97 + ((hash >>> 3) % 26)) + word.slice(-2)
      : word;
  });
}

/**
 * Merges all repositories into one site, and repeats them with other words until there are enough
 * pages.
 */
export async function largeSite(corpora: string, pageCount: number): Promise<SearchDocument[]> {
  const site: SearchDocument[] = [];
  const paths = new Set<string>();
  const read = new Map<string, SearchDocument[]>();
  const names = readdirSync(corpora, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of names) {
    const built = await buildInMemory(join(corpora, name)).catch(() => undefined);
    if (built) read.set(name, documentsIn(built.searchIndex));
  }
  for (let round = 0; read.size > 0; round++) {
    const change = round === 0 ? (text: string) => text : varied;
    for (const [name, documents] of read) {
      for (const document of documents) {
        const path = `${name}-${round}/${document.path}`;
        if (!paths.has(path) && paths.size === pageCount) return site;
        paths.add(path);
        const [pageTitle, markdown] = [change(document.pageTitle), change(document.markdown)];
        const [text, code] = [change(document.text), change(document.code)];
        site.push({ ...document, path, href: `/${path}`, pageTitle, markdown, text, code });
      }
    }
  }
  return site;
}
