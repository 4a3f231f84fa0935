import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { testQuestion } from '@docent/assistant/test-question.ts';
import { parseQuestions } from '@docent/format/questions/question-file.ts';
import { checkRules, countResults } from '@docent/format/questions/question-results.ts';
import { loadSearchIndex } from '@docent/search/index/load-search-index.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';
import { beforeAll, expect, test } from 'vitest';
import { buildSite } from './build-site.ts';
import { describeFile } from './files/file-sink.ts';

const { questions, rules } = parseQuestions(readFileSync(new URL('../../../docs/questions.yaml', import.meta.url), 'utf8'));
let index: SearchIndex;

beforeAll(async () => {
  const files = new Map<string, Uint8Array>();
  const add = async (bytes: Uint8Array, type: string) => {
    const file = describeFile(bytes, type);
    files.set(file.sha256, bytes);
    return file;
  };
  const build = await buildSite(fileURLToPath(new URL('../../../docs', import.meta.url)), { add }, { threads: 1 });
  index = loadSearchIndex(files.get(build.searchIndex.sha256) as Uint8Array);
});

test.each(questions)('our documentation answers a newcomer without a language model: $question', async (question) => {
  const { rank, quoted, missingWords } = await testQuestion({ index }, question);
  expect(rank).not.toBeNull();
  expect(question.pages).toContain(quoted[0]);
  expect(missingWords).toEqual([]);
});

test('the rules of our file of questions hold', async () => {
  const results = await Promise.all(questions.map((question) => testQuestion({ index }, question)));
  expect(checkRules(rules, countResults(results)).filter(({ holds }) => !holds)).toEqual([]);
});
