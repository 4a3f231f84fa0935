import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexData } from '../../src/core/search/index/index-data.ts';

const TITLES = 150;

/** Returns queries by kind: questions if a folder of them is given, and typical queries of readers who look for a page. */
export function queriesOf(data: IndexData, retrieval: string | undefined): Map<string, string[]> {
  const pages = data.storedPages;
  const titles = Array.from({ length: TITLES }, (_, i) => pages[Math.floor(((i + 0.5) * pages.length) / TITLES)]?.[2] ?? '');
  const kinds = new Map<string, string[]>();
  if (retrieval !== undefined) kinds.set('questions', questions(retrieval));
  kinds.set('titles', titles);
  kinds.set(
    'typing errors',
    titles.map((title) => title.replace(/\b([a-z]{3})([a-z])([a-z])([a-z]+)/gi, '$1$3$2$4')),
  );
  kinds.set(
    'beginnings',
    titles.map((title) => title.slice(0, Math.ceil(title.length * 0.6))),
  );
  return kinds;
}

function questions(retrieval: string): string[] {
  return readdirSync(retrieval)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(retrieval, name), 'utf8').trim().split('\n'))
    .map((line) => (JSON.parse(line) as { q: string }).q);
}
