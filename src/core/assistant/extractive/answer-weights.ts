import type { AnswerWeights } from './confidence.ts';

/** Written by `npm run train:answers` from 280 questions; not to be edited by hand. */
export const answerWeights: AnswerWeights = {
  covered: {
    intercept: -12.824,
    columns: [
      // known
      2.0083,
      // missingNames
      -2.1441,
      // quotedPage
      3.838,
      // bestScore
      8.7085,
      // words
      3.2359,
    ],
  },
  right: {
    intercept: -5.0659,
    columns: [
      // share
      0.49604,
      // margin
      0.34294,
      // pageProbability
      1.7729,
      // quotedPage
      1.1278,
      // heading
      1.3897,
      // densest
      1.024,
      // words
      1.4413,
    ],
  },
  nearestFrom: 0.384,
  answersFrom: { covered: 0.846, right: 0.74 },
};
