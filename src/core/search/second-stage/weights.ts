import type { SecondStageWeights } from './second-stage-weights.ts';

/** Written by `npm run train` from 280 questions; not to be edited by hand. */
export const secondStageWeights: SecondStageWeights = {
  fingerprint: '4740f7c95c486e3c',
  pageMeans: [
    // folder
    3.3607,
    // folderShare
    0.11807,
    // siblings
    2.9272,
    // inLinks
    1.2952,
    // outLinks
    1.3746,
    // depth
    1.4503,
    // length
    8.2305,
    // sections
    3.0803,
    // place
    0.43898,
    // operation
    0.055441,
    // codeShare
    0.23142,
    // commonHeadings
    0.9533,
    // templateHeadings
    0.18562,
    // titleLength
    2.8931,
    // menuDepth
    2.2904,
  ],
  page: [
    // folder
    -0.0024004,
    // folderShare
    -0.78337,
    // siblings
    0.038534,
    // inLinks
    0.13683,
    // outLinks
    -0.19001,
    // depth
    -0.12782,
    // length
    -0.056435,
    // sections
    0.00095153,
    // place
    -0.085992,
    // operation
    -0.30043,
    // codeShare
    0.36279,
    // commonHeadings
    -0.16323,
    // templateHeadings
    -0.43713,
    // titleLength
    -0.053786,
    // menuDepth
    -0.097558,
  ],
  query: [
    // score
    4.2872,
    // relative
    3.8526,
    // rank
    -0.70893,
    // nearness
    2.4181,
    // inTitle
    -3.5364,
    // inTrail
    8.5188,
    // inTheme
    0.7266,
    // inPage
    -0.047612,
    // inSection
    1.0653,
    // rareInTheme
    0.16786,
    // rareInPage
    0.25368,
    // rareInSection
    -0.17711,
    // headings
    -4.8925,
    // prose
    1.2183,
    // code
    3.063,
    // together
    1.1599,
    // bestSection
    -0.49089,
    // secondSection
    0.70016,
    // threeSections
    0.11433,
    // sectionHeading
    2.6495,
    // sectionProse
    0.53568,
    // sectionPlace
    -0.36887,
    // sectionLength
    -0.061744,
    // opensPage
    0.44309,
    // wordsInSection
    1.0921,
    // wordsInPage
    0.11617,
  ],
};
