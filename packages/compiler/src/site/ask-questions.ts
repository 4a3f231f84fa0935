import { testQuestion } from '@docent/assistant/test-question.ts';
import { defaultLabels, type LabelledPages } from '@docent/format/build/default-slice.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { DocentError } from '@docent/format/errors.ts';
import { didYouMean, nearestName } from '@docent/format/nearest-name.ts';
import {
  parseQuestions,
  QUESTION_FILE,
  type QuestionFile,
  type TestQuestion,
} from '@docent/format/questions/question-file.ts';
import { type QuestionReport, reportedQuestion } from '@docent/format/questions/question-report.ts';
import {
  checkRules,
  countResults,
  type QuestionResult,
} from '@docent/format/questions/question-results.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';

/**
 * Asks a build the questions of its repository.
 * @param text content of `questions.yaml`
 * @returns no report if the file is not valid; a diagnostic for each fault of the file, and for
 *   each rule that does not hold
 */
export async function askQuestions(
  text: string,
  site: LabelledPages,
  searchIndex: Uint8Array,
): Promise<{ report?: QuestionReport; diagnostics: Diagnostic[] }> {
  let file: QuestionFile;
  try {
    file = parseQuestions(text);
  } catch (error) {
    if (!(error instanceof DocentError)) throw error;
    const remedy = 'Correct the file; its questions were not asked.';
    return {
      diagnostics: error.message
        .split('\n')
        .map((message) => finding('questions-syntax', message, remedy)),
    };
  }
  const index = loadSearchIndex(searchIndex);
  const results: QuestionResult[] = [];
  for (const question of file.questions)
    results.push(await testQuestion({ index, defaults: defaultLabels(site) }, question));
  const counts = countResults(results);
  const rules = checkRules(file.rules, counts);
  const reportedResults = results.map((result, at) =>
    reportedQuestion(result, file.questions[at] as TestQuestion),
  );
  return {
    report: { counts, rules, results: reportedResults },
    diagnostics: [
      ...missingPages(file, site),
      ...rules.flatMap((rule) => (rule.holds ? [] : [ruleFinding(rule.rule, rule)])),
    ],
  };
}

function missingPages({ questions }: QuestionFile, { pages }: LabelledPages): Diagnostic[] {
  const paths = new Set(pages.map(({ path }) => path));
  return questions.flatMap((question, index) =>
    question.pages
      .filter((path) => !paths.has(path))
      .map((path) => {
        const remedy = didYouMean(
          nearestName(path, paths),
          'Name a page of the navigation, or remove it.',
        );
        return finding(
          'questions-page',
          `Question ${index + 1} names the page ${path}, which does not exist.`,
          remedy,
        );
      }),
  );
}

const RULE_WORDS = {
  first: 'find their page first',
  inFive: 'find their page among the first five',
  answered: 'are answered',
  lost: '',
};

function ruleFinding(
  rule: keyof typeof RULE_WORDS,
  { value, limit }: { value: number; limit: number },
): Diagnostic {
  const message = `${Math.floor(value)} % of the questions ${RULE_WORDS[rule]}; the rule requires ${limit} %.`;
  return finding(
    'questions-rule',
    message,
    'Run docent ask to see which; improve the pages, or change the rule.',
  );
}

function finding(code: string, message: string, remedy: string): Diagnostic {
  return { severity: 'warning', code, message, remedy, file: QUESTION_FILE };
}
