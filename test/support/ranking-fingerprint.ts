import { createHash } from 'node:crypto';
import { buildSearchIndex } from '@docent/search/index/build-search-index.ts';
import { IndexData } from '@docent/search/index/index-data.ts';
import { searchIndexOf } from '@docent/search/index/load-search-index.ts';
import { synonyms } from '@docent/search/words/synonyms.ts';
import { commonWords, stopWords, tokenize } from '@docent/search/words/tokenize.ts';
import { rankingWeights } from '../../packages/search/src/ranking-weights.ts';
import { PAGE_COLUMNS, pageFacts } from '../../packages/search/src/second-stage/page-facts.ts';
import { QUERY_COLUMNS } from '../../packages/search/src/second-stage/query-columns.ts';
import { lexicon } from '../../packages/search/src/words/lexicon.ts';
import { generateSite, queriesFor } from './generated-site.ts';

const PAGES = 80;
const QUERIES = 60;
const SPELLINGS = "maxRetries user_id --dry-run v1.2.3 don't naïve C++ HTTPServer2 速率限制 e-mail GET /v1/users/{id} x_y-z.w";

/**
 * Returns a hash of everything that the columns of the second stage depend on: words and stems, synonyms, the weights of the first
 * stage, the columns, and their values on a generated site.
 */
export function rankingFingerprint(): string {
  const documents = generateSite(PAGES);
  const data = new IndexData(buildSearchIndex(documents));
  const values: number[][] = pageFacts(data.factSource).map((facts) => [...facts]);
  const index = searchIndexOf(data, {
    onRows: ({ candidates, columns }) => {
      for (const [at, { page }] of candidates.entries()) values.push([page, ...(columns[at] as Float64Array)]);
    },
  });
  for (const query of queriesFor(documents, QUERIES)) index.search(query, { limit: 5 });
  const parts = [
    [PAGE_COLUMNS, QUERY_COLUMNS, rankingWeights, tokenize(SPELLINGS), [...stopWords], [...commonWords]],
    [...synonyms].map(([asked, others]) => [asked, ...others]),
    [...lexicon()],
    // Runtimes may differ in the last digits of a logarithm.
    values.map((row) => row.map((value) => Number(value.toPrecision(6)))),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
