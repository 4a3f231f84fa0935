import { expect, it } from 'vitest';
import { commentOf, readyReport } from './report-text.ts';

const comment = (questions?: { gained: string[]; lost: string[]; openCount: number }) =>
  commentOf(
    { id: '01', name: 'Acme' },
    {
      ...{ status: 'success', summary: 'the preview is ready.', isNews: true },
      ...{ url: 'https://platform.test', commit: 'abcdef0123' },
      preview: {
        ...{ url: 'https://next.test', liveUrl: 'https://live.test', changes: null },
        ...{ problems: [], questions },
      },
    },
  );

it('the comment of a pull request names the test questions that it gains and loses, as code', () => {
  const text = comment({ gained: ['How do I `rotate` @a key?'], lost: ['Why?'], openCount: 12 });
  expect(text).toContain('Test questions: answers 1 more, loses 1, 12 open.');
  expect(text).toContain("- no longer `Why?`\n- now `How do I 'rotate' @a key?`");
  const many = comment({ gained: Array.from({ length: 30 }, () => 'Q'), lost: [], openCount: 0 });
  expect(many).toContain('- and 20 more');
  expect(comment()).not.toContain('questions');
});

it('a lost test question is named in the summary, and fails the check by the rule for that alone', () => {
  const lost = (rules: object) =>
    readyReport([], { failsOn: 'warnings', ...rules }, { lost: ['How do I rotate a key?'] });
  expect(lost({})).toEqual({
    status: 'success',
    summary: 'the preview is ready, with 1 test question lost.',
  });
  expect(lost({ failsOnAnswers: true }).status).toBe('failure');
  expect(readyReport([], { failsOn: 'builds', failsOnAnswers: true }, { lost: [] }).status).toBe(
    'success',
  );
});
