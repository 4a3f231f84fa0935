import type { SecondStageWeights } from './second-stage-weights.ts';
import { secondStageWeights } from './weights.ts';

/** Written by `npm run train` from 280 questions; not to be edited by hand. */
export const meaningWeights: SecondStageWeights = {
  fingerprint: '4740f7c95c486e3c',
  pageMeans: secondStageWeights.pageMeans,
  page: [
    // folder
    -0.023462,
    // folderShare
    -0.59225,
    // siblings
    0.015089,
    // inLinks
    0.11263,
    // outLinks
    -0.18141,
    // depth
    -0.15681,
    // length
    -0.068591,
    // sections
    0.026898,
    // place
    -0.099046,
    // operation
    -0.31015,
    // codeShare
    0.2428,
    // commonHeadings
    -0.17073,
    // templateHeadings
    -0.41648,
    // titleLength
    -0.064375,
    // menuDepth
    -0.11365,
  ],
  query: [
    // score
    3.8816,
    // relative
    3.5483,
    // rank
    -0.70141,
    // nearness
    2.571,
    // inTitle
    -4.7316,
    // inTrail
    8.1857,
    // inTheme
    0.33766,
    // inPage
    0.038928,
    // inSection
    1.1804,
    // rareInTheme
    0.14169,
    // rareInPage
    0.28571,
    // rareInSection
    -0.20736,
    // headings
    -4.2422,
    // prose
    1.2829,
    // code
    2.866,
    // together
    0.99627,
    // bestSection
    -0.025758,
    // secondSection
    0.27442,
    // threeSections
    0.035013,
    // sectionHeading
    2.9141,
    // sectionProse
    0.50605,
    // sectionPlace
    -0.27344,
    // sectionLength
    -0.073986,
    // opensPage
    0.40319,
    // wordsInSection
    1.1231,
    // wordsInPage
    0.11678,
    // meaning
    1.1163,
    // meaningRank
    -0.28037,
  ],
};
