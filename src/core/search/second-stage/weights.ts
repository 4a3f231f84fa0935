import type { SecondStageWeights } from './second-stage-weights.ts';

/** Written by `npm run train` from 280 questions; not to be edited by hand. */
export const secondStageWeights: SecondStageWeights = {
  fingerprint: '4740f7c95c486e3c',
  pageMeans: [
    // folder
    3.3644,
    // folderShare
    0.11787,
    // siblings
    2.9272,
    // inLinks
    1.2929,
    // outLinks
    1.3737,
    // depth
    1.4517,
    // length
    8.2303,
    // sections
    3.0794,
    // place
    0.43706,
    // operation
    0.055994,
    // codeShare
    0.2312,
    // commonHeadings
    0.95546,
    // templateHeadings
    0.18595,
    // titleLength
    2.8933,
    // menuDepth
    2.2907,
  ],
  page: [
    // folder
    -0.003063,
    // folderShare
    -0.78225,
    // siblings
    0.038915,
    // inLinks
    0.13878,
    // outLinks
    -0.19076,
    // depth
    -0.12783,
    // length
    -0.057065,
    // sections
    0.0012451,
    // place
    -0.090015,
    // operation
    -0.29947,
    // codeShare
    0.35976,
    // commonHeadings
    -0.1628,
    // templateHeadings
    -0.43821,
    // titleLength
    -0.053457,
    // menuDepth
    -0.097608,
  ],
  query: [
    // score
    4.2942,
    // relative
    3.8654,
    // rank
    -0.70479,
    // nearness
    2.4129,
    // inTitle
    -3.5866,
    // inTrail
    8.5418,
    // inTheme
    0.71888,
    // inPage
    -0.045597,
    // inSection
    1.0717,
    // rareInTheme
    0.17211,
    // rareInPage
    0.25113,
    // rareInSection
    -0.17378,
    // headings
    -4.921,
    // prose
    1.2322,
    // code
    3.097,
    // together
    1.1823,
    // bestSection
    -0.47395,
    // secondSection
    0.67739,
    // threeSections
    0.14638,
    // sectionHeading
    2.6151,
    // sectionProse
    0.52708,
    // sectionPlace
    -0.36354,
    // sectionLength
    -0.063744,
    // opensPage
    0.44427,
    // wordsInSection
    1.088,
    // wordsInPage
    0.11675,
  ],
};
