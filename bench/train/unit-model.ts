import type { Retrieval } from '@docent/assistant/retrieve/retrieve.ts';
import {
  answerUnits,
  UNIT_COLUMNS,
  type UnitColumn,
} from '../../packages/assistant/src/extractive/answer-units.ts';
import { rankPassages } from '../../packages/assistant/src/extractive/choose-quotes.ts';
import { questionTraits } from '../../packages/assistant/src/extractive/question-kind.ts';
import { QuestionWords } from '../../packages/assistant/src/retrieve/question-words.ts';
import { fitScaled, weightsSource } from './fit-scaled.ts';
import type { CandidateList } from './fit-softmax.ts';
import type { Question } from './read-examples.ts';

type UnitWeights = Record<UnitColumn, number>;

/** The weights without any question. */
const ASSUMED = {
  ...(Object.fromEntries(UNIT_COLUMNS.map((name) => [name, 0])) as UnitWeights),
  ...{ identifiers: 3, operation: -1, stepsForHowTo: 1.5 },
};
/** Too few questions are answered by these to learn from them. */
const KEPT: ReadonlySet<UnitColumn> = new Set(['identifiers', 'operation', 'stepsForHowTo']);
const PENALTY = 10;
const CANDIDATES = 8;

/** Returns the units of the best sections, for each phrase that the answer to a question needs. */
export function unitLists({ q, phrases = [] }: Question, { passages }: Retrieval): CandidateList[] {
  const words = new QuestionWords(q);
  const ranked = rankPassages(q, words, passages).slice(0, CANDIDATES);
  const units = answerUnits(words, questionTraits(q), ranked);
  const texts = units.map(({ blocks }) => plain(blocks.map(({ markdown }) => markdown).join('\n')));
  const columns = Float64Array.from(
    units.flatMap(({ evidence }) => UNIT_COLUMNS.map((name) => evidence[name])),
  );
  return phrases.map((phrase) => ({
    columns,
    isRelevant: texts.map((text) => text.includes(plain(phrase))),
  }));
}

/** Fits the model on lists of `unitLists`. */
export function fitUnits(lists: readonly CandidateList[]): UnitWeights {
  return fitScaled(lists, ASSUMED, { kept: KEPT, penalty: PENALTY });
}

/** Returns the weights as source, with the number of phrases that they come from. */
export function unitWeightsSource(weights: UnitWeights, phrases: number): string {
  return weightsSource(
    'unitWeights',
    `What of the sections answers, from ${phrases} phrases.`,
    weights,
  );
}

/** A text in lower case, without addresses of links and punctuation. */
export function plain(text: string): string {
  return text
    .replaceAll(/\]\([^()\s]*\)/g, ']')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
