import type { Retrieval } from '@docent/assistant/retrieve/retrieve.ts';
import { rankPassages } from '../../packages/assistant/src/extractive/choose-quotes.ts';
import type { SectionColumn } from '../../packages/assistant/src/extractive/rank-candidates.ts';
import { QuestionWords } from '../../packages/assistant/src/retrieve/question-words.ts';
import { fitScaled, weightsSource } from './fit-scaled.ts';
import type { CandidateList } from './fit-softmax.ts';
import type { Question } from './read-examples.ts';

/** The model that chooses a section of a page. */
export type SectionWeights = Record<SectionColumn, number>;

/**
 * The weights without any question. Those of a form that no question has keep these values, and so
 * does that of the page's probability, because the sections of one page are compared: from 2 on,
 * the right page comes first as often as in the search.
 */
const ASSUMED: SectionWeights = {
  heading: 1.3,
  densest: 1.2,
  everything: 0.7,
  plain: 1.8,
  share: 2,
  place: -0.5,
  length: 0,
  otherName: -0.6,
  named: 7,
  stepsForHowTo: 1.7,
  codeForHowTo: 1.3,
  definition: 7,
  closing: -1,
  fields: -0.7,
  operation: -0.8,
  operationAsked: 1,
  operationNamed: 3,
  responses: -1,
  entry: -1,
  helpForProblem: 1,
  negation: 1.8,
};
const COLUMNS = Object.keys(ASSUMED) as SectionColumn[];
/**
 * These distinguish pages, or belong to questions that are rare in the training, so they keep the
 * assumed weights.
 */
const KEPT: ReadonlySet<SectionColumn> = new Set(['operation', 'operationAsked', 'definition']);
const PENALTY = 30;

/**
 * Returns the candidates of the page that has the labelled sections of a question; nothing if there
 * are none.
 */
export function sectionList({ q, sections }: Question, { passages }: Retrieval): CandidateList[] {
  const page = sections?.[0]?.split('#')[0];
  if (sections === undefined || page === undefined) return [];
  const ofPage = rankPassages(q, new QuestionWords(q), passages).filter(
    ({ passage }) => passage.path === page,
  );
  const isRelevant = ofPage.map(({ passage }) => {
    const anchor = passage.url.split('#')[1];
    return sections.includes(anchor === undefined ? page : `${page}#${anchor}`);
  });
  return [
    {
      columns: Float64Array.from(
        ofPage.flatMap(({ evidence }) => COLUMNS.map((key) => evidence[key])),
      ),
      isRelevant,
    },
  ];
}

/** Fits the model on lists of `sectionList`. Without any, it keeps the assumed weights. */
export function fitSections(lists: readonly CandidateList[]): SectionWeights {
  return fitScaled(lists, ASSUMED, { kept: KEPT, penalty: PENALTY });
}

/** Returns the share of the lists whose first candidate by some weights is a labelled one. */
export function firstIsRight(lists: readonly CandidateList[], weights: SectionWeights): number {
  const width = COLUMNS.length;
  const right = lists.filter(({ columns, isRelevant }) => {
    const sums = isRelevant.map((_, row) =>
      COLUMNS.reduce(
        (sum, key, column) => sum + weights[key] * (columns[row * width + column] as number),
        0,
      ),
    );
    return isRelevant[sums.indexOf(Math.max(...sums))];
  });
  return right.length / Math.max(1, lists.length);
}

/** Returns the weights as source, with the number of questions that they come from. */
export function sectionWeightsSource(weights: SectionWeights, questions: number): string {
  return weightsSource(
    'sectionWeights',
    `The rank of a section, from ${questions} questions.`,
    weights,
  );
}
