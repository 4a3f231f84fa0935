import {
  parseQuestions,
  questionFileSchema,
  type TestQuestion,
} from '@docent/format/questions/question-file.ts';
import {
  checkRules,
  compareResults,
  countResults,
} from '@docent/format/questions/question-results.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { expect, it } from 'vitest';
import { searchDocument } from '../../../test/support/publish-index.ts';
import { testQuestion } from './test-question.ts';

const before = {
  index: loadSearchIndex(
    buildSearchIndex([
      searchDocument('start', 'Get started', 'Run the program with `acme start`.'),
    ]),
  ),
};
const after = {
  index: loadSearchIndex(
    buildSearchIndex([
      searchDocument('start', 'Get started', 'Run the program with `acme start`.'),
      searchDocument(
        'keys',
        'Rotate an API key',
        'To rotate an API key, run `acme keys rotate`. The old API key works for an hour.',
      ),
    ]),
  ),
};

const test = (question: string, more: Partial<TestQuestion> = {}): TestQuestion => ({
  question,
  pages: ['keys'],
  words: [],
  ...more,
});

it('a result tells the place of the page, what was quoted, and the words that the answer lacks', async () => {
  const rotate = await testQuestion(
    after,
    test('How do I rotate an API key?', { words: ['ACME KEYS ROTATE', ['week', 'hour']] }),
  );
  expect(rotate).toMatchObject({ rank: 1, quoted: ['keys'], missingWords: [], isOpen: false });
  const missing = await testQuestion(
    after,
    test('How do I rotate an API key?', { words: [['week', 'month'], 'hour'] }),
  );
  expect(missing).toMatchObject({ missingWords: ['week'], isAnswered: false });
  const gone = await testQuestion(before, test('How do I rotate an API key?'));
  expect(gone).toMatchObject({ rank: null, isAnswered: false });
});

it('two versions are compared by question: those that only one of them answers, and those that none does', () => {
  const result = (question: string, isAnswered: boolean) =>
    ({
      question,
      isAnswered,
      rank: 1,
      results: [],
      status: 'answered',
      quoted: [],
      missingWords: [],
      isOpen: false,
    }) as const;
  const now = [
    result('New', true),
    result('Kept', true),
    result('Lost', false),
    result('Open', false),
  ].map((each) => ({
    ...each,
    ...{ results: [], quoted: [], missingWords: [] },
  }));
  const then = [result('lost', true), result('Kept', true), result('New', false)].map((each) => ({
    ...each,
    ...{ results: [], quoted: [], missingWords: [] },
  }));
  const changes = compareResults(now, then);
  expect(changes).toEqual({ gained: ['New'], lost: ['Lost'], open: ['Open'] });
  const counts = countResults(now);
  expect(counts).toEqual({ questions: 4, first: 4, inFive: 4, answered: 2, open: 0 });
  const holds = (rules: object) =>
    checkRules({ lost: 0, ...rules }, counts, changes).map((rule) => [rule.rule, rule.holds]);
  expect(holds({ answered: 51 })).toEqual([
    ['answered', false],
    ['lost', false],
  ]);
  expect(holds({ answered: 50, lost: 1 })).toEqual([
    ['answered', true],
    ['lost', true],
  ]);
});

it('without rules, every question with a page must find it among the first five; open questions do not count', async () => {
  const { questions, rules } = parseQuestions(
    'questions: [{question: Why?, pages: [/keys.mdx]}, {question: And then?}]',
  );
  expect(questions.map(({ pages }) => pages)).toEqual([['keys'], []]);
  const results = await Promise.all(questions.map((question) => testQuestion(before, question)));
  expect(countResults(results)).toMatchObject({ questions: 1, inFive: 0, open: 1 });
  expect(checkRules(rules, countResults(results))).toEqual([
    { rule: 'inFive', limit: 100, value: 0, holds: false },
  ]);
});

it.each([
  ['questions: [', /^questions\.yaml, line 1: /],
  ['questions: []', /^questions\.yaml: questions: /],
  ['- question: Why?', /^questions\.yaml: the file: /],
  ['questions: [{question: Why?, page: keys}]', /question 1: .*"page"/],
  ['questions: [{question: Why?}, {question: 7}]', /question 2 question: /],
  ['questions: [{question: Why?}, {question: " why? "}]', /question 2 is the same as question 1/],
  ['{questions: [{question: Why?}], rules: {answered: 101}}', /rules answered: /],
])('a file that is not valid is refused with the place of the fault: %s', (text, message) => {
  expect(() => parseQuestions(text)).toThrow(message);
});

it('the JSON Schema describes every field', () => {
  const schema = JSON.stringify(questionFileSchema('https://docs.test/schema/questions.json'));
  expect(JSON.parse(schema)).toMatchObject({
    $id: 'https://docs.test/schema/questions.json',
    required: ['questions'],
  });
  for (const name of [
    'question',
    'pages',
    'words',
    'version',
    'language',
    'first',
    'inFive',
    'answered',
    'lost',
  ])
    expect(schema).toContain(`"${name}":{`);
});
