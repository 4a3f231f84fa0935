import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { newcomerQuestions } from '../../test/support/newcomer-questions.ts';
import type { AssistantQuestion } from '../core/assistant/chat-request.ts';
import { type ExtractiveAnswer, extractiveAnswer } from '../core/assistant/extractive/extractive-answer.ts';
import { retrieve } from '../core/assistant/retrieve.ts';
import { loadSearchIndex } from '../core/search/index/load-search-index.ts';
import type { SearchIndex } from '../core/search/search-index.ts';
import { buildSite } from './build-site.ts';
import { describeFile } from './files/file-sink.ts';

const FAQ = 'guides/questions';
let index: SearchIndex;

beforeAll(async () => {
  const files = new Map<string, Uint8Array>();
  const add = async (bytes: Uint8Array, type: string) => {
    const file = describeFile(bytes, type);
    files.set(file.sha256, bytes);
    return file;
  };
  const build = await buildSite(fileURLToPath(new URL('../../docs', import.meta.url)), { add }, { threads: 1 });
  index = loadSearchIndex(files.get(build.searchIndex.sha256) as Uint8Array);
});

async function ask(text: string): Promise<ExtractiveAnswer> {
  const turns = [{ role: 'user' as const, text }];
  const question = { question: text, turns, context: [], pageSize: 5 } as unknown as AssistantQuestion;
  const { passages } = await retrieve(index, question, { publicUrl: '' });
  return extractiveAnswer({ instructions: '', steps: [], mayUseTools: false, turns, passages });
}

test.each(newcomerQuestions)('our documentation answers a newcomer without a language model: %s', async (text, pages, says) => {
  const { pieces, sources } = await ask(text);
  expect([...pages, FAQ]).toContain(sources[0]);
  expect(pieces.join('').replace(/^.*\n/, '')).toMatch(says);
});

test('more than seven in ten of these answers are stated without reservation', async () => {
  const answers = await Promise.all(newcomerQuestions.map(([text]) => ask(text)));
  expect(answers.filter(({ isSure }) => isSure).length / answers.length).toBeGreaterThan(0.7);
});
