import type { TestQuestion } from '@docent/format/questions/question-file.ts';
import type { QuestionResult } from '@docent/format/questions/question-results.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';
import type { AssistantQuestion } from './chat/chat-request.ts';
import { extractiveAnswer, statusOfQuotes } from './extractive/extractive-answer.ts';
import { foreignWords } from './retrieve/foreign-words.ts';
import { type RetrieveOptions, retrieve } from './retrieve/retrieve.ts';

/** As many pages as the assistant answers from. */
const PAGES = 5;

/** The index of a site, or of a folder that was built, and how it is searched. */
export interface QuestionSite extends Pick<RetrieveOptions, 'defaults' | 'rules' | 'search'> {
  index: SearchIndex;
}

/** Asks one question. */
export async function testQuestion(
  site: QuestionSite,
  test: TestQuestion,
): Promise<QuestionResult> {
  const { question, pages, version, language } = test;
  const turns: AssistantQuestion['turns'] = [{ role: 'user', text: question }];
  const assistantQuestion: AssistantQuestion = {
    ...{
      fp: 'anonymous',
      question,
      turns,
      context: [],
      images: [],
      continuesAssistant: false,
      pageSize: PAGES,
    },
    ...{ wire: 'full', searchForm: 'object', onlyNewest: false, filter: { version, language } },
  };
  const {
    pages: retrieved,
    passages,
    note,
    pointsAt,
    english,
    synonyms,
  } = await retrieve(site.index, assistantQuestion, {
    ...site,
    publicUrl: '',
    foreignWords,
  });
  const answer = extractiveAnswer({
    instructions: '',
    turns,
    passages,
    note,
    pointsAt,
    english,
    synonyms,
    language,
    steps: [],
    mayUseTools: false,
  });
  const text = answer.pieces.join('').toLowerCase();
  const missingWords = test.words.flatMap((word) => {
    const choices = [word].flat();
    return choices.some((choice) => text.includes(choice.toLowerCase()))
      ? []
      : [choices[0] as string];
  });
  const results = retrieved.map(({ path }) => path);
  const rank = results.findIndex((path) => pages.includes(path)) + 1;
  const status = statusOfQuotes(answer);
  const isRight = answer.sources.some((path) => pages.includes(path)) && missingWords.length === 0;
  return {
    ...{ question, version, language, results, status, quoted: answer.sources, missingWords },
    rank: rank === 0 ? null : rank,
    isAnswered: status === 'answered' && isRight,
    isOpen: pages.length === 0,
  };
}
