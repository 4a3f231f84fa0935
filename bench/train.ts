import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createBuiltinEmbedder } from '../src/adapters/embedder/builtin.ts';
import { PAGE_COLUMNS } from '../src/core/search/second-stage/page-facts.ts';
import { MEANING_COLUMNS, QUERY_COLUMNS } from '../src/core/search/second-stage/query-columns.ts';
import { rankingFingerprint } from '../test/support/ranking-fingerprint.ts';
import { gains, leaveOneOut, measures, placeBefore, train } from './train/leave-one-out.ts';
import { type Example, projectsOf, readExamples, withoutMeaning } from './train/read-examples.ts';

/*
 * Trains the second stage of search and writes its weights.
 *
 *   npm run train [-- <corpora folder> <retrieval folder>] [--dry]
 *
 * The folders are those of `bench/retrieval.ts`; they default to `../shared/corpora` and `../shared/retrieval`. Builds each
 * project as for publishing and asks its questions. Prints the ranking quality of the first stage, and of a second stage that was
 * trained on the other projects only, without and with the columns of the built-in embedding model; then writes the weights of
 * all projects to `weights.ts` in `src/core/search/second-stage` (nothing with `--dry`). The same
 * questions and the same code give the same weights. Run it after every change of the tokenizer, the weights of the first stage,
 * the synonyms or the columns.
 */

const target = fileURLToPath(new URL('../src/core/search/second-stage/weights.ts', import.meta.url));
const shared = fileURLToPath(new URL('../../shared', import.meta.url));
const SHORT_WORDS = 4;

const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const [corpora = `${shared}/corpora`, retrieval = `${shared}/retrieval`] = given;
const absent = [corpora, retrieval].filter((folder) => !existsSync(folder));
if (absent.length > 0) {
  process.stderr.write(
    `No training: ${absent.join(' and ')} not found. The questions are not part of this repository; name the folders that hold the projects and their questions: npm run train -- <corpora folder> <retrieval folder>\n`,
  );
  process.exitCode = 1;
} else await run();

async function run(): Promise<void> {
  const examples: Example[] = [];
  const embedder = createBuiltinEmbedder();
  for (const project of projectsOf(retrieval)) {
    examples.push(...(await readExamples(corpora, retrieval, project, embedder)));
    process.stderr.write(`${project}: ${examples.length} questions so far\n`);
  }
  printTable(examples);
  if (process.argv.includes('--dry')) return;
  writeFileSync(target, weightsFile(examples));
  process.stderr.write('weights.ts written\n');
}

function printTable(examples: readonly Example[]): void {
  const before = examples.map(placeBefore);
  const after = leaveOneOut(withoutMeaning(examples));
  const withMeaning = leaveOneOut(examples);
  const pick = (places: readonly number[], isIn: (example: Example) => boolean) =>
    places.filter((_, at) => isIn(examples[at] as Example));
  const line = (name: string, isIn: (example: Example) => boolean) => {
    const cells = [before, after, withMeaning].map((places) =>
      measures(pick(places, isIn))
        .map((value) => value.toFixed(3))
        .join(' / '),
    );
    process.stdout.write(`| ${name} | ${pick(before, isIn).length} | ${cells.join(' | ')} |\n`);
  };
  process.stdout.write(
    '| project | questions | first stage alone | second stage trained on the others | with the built-in model |\n| --- | --- | --- | --- | --- |\n',
  );
  for (const project of new Set(examples.map((example) => example.project)))
    line(project, (example) => !example.isBlind && example.project === project);
  line('all', ({ isBlind }) => !isBlind);
  line(
    `queries of at most ${SHORT_WORDS} words`,
    ({ question, isBlind }) => !isBlind && question.split(/\s+/).length <= SHORT_WORDS,
  );
  line('blind questions', ({ isBlind }) => isBlind);
  const between = (range: readonly number[]) => range.map((value) => value.toFixed(3)).join(' to ');
  const gain = (places: readonly number[], over: readonly number[]) => {
    const known = ({ isBlind }: Example) => !isBlind;
    const { hit1, mrr10 } = gains(pick(places, known), pick(over, known));
    return `hit@1 ${between(hit1)}, MRR@10 ${between(mrr10)}`;
  };
  process.stdout.write(
    `\nhit@1 / hit@5 / MRR@10. Gain (95 %, paired bootstrap) of the second stage: ${gain(after, before)}; of the built-in model over that: ${gain(withMeaning, after)}\n`,
  );
}

/** Returns the source of the weights file. The facts of an average page do not depend on the model. */
function weightsFile(examples: readonly Example[]): string {
  const pages = PAGE_COLUMNS.length;
  const plain = train(withoutMeaning(examples));
  const lines = (names: readonly string[], numbers: readonly number[], indent: string) =>
    names.map((name, at) => `${indent}${Number(numbers[at]?.toPrecision(5))}, // ${name}`).join('\n');
  const weightsOf = ({ weights }: typeof plain, columns: readonly string[]) => `{
  page: [
${lines(PAGE_COLUMNS, weights, '    ')}
  ],
  query: [
${lines(columns, weights.slice(pages), '    ')}
  ],
}`;
  return `import type { SecondStageWeights } from '../search-index.ts';

// Generated by \`npm run train\` from ${examples.filter(({ isBlind }) => !isBlind).length} questions; do not edit.

/** Hash of everything that the columns depend on, to detect changes. */
export const fingerprint = '${rankingFingerprint()}';

/** The facts of an average page, in the order of \`PAGE_COLUMNS\`. */
export const pageMeans = [
${lines(PAGE_COLUMNS, plain.means, '  ')}
];

export const secondStageWeights: SecondStageWeights = ${weightsOf(plain, QUERY_COLUMNS)};

/** With the columns of the built-in embedding model. */
export const meaningWeights: SecondStageWeights = ${weightsOf(train(examples), [...QUERY_COLUMNS, ...MEANING_COLUMNS])};
`;
}
