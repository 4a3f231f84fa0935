import { hasContentWords, isPhrase } from '@docent/search/search-rules.ts';
import * as z from 'zod';
import { plainText } from '../kernel/operations/fields.ts';

const phrase = plainText(1, 60).refine(isPhrase, 'must have one to three words');
const pagePath = plainText(1, 300).refine(
  (path) => !path.startsWith('/'),
  'must be a path without a leading slash, such as guides/start',
);
const pageRule = z
  .strictObject({
    question: plainText(1, 300)
      .refine(hasContentWords, 'must have a word that other questions do not have')
      .describe(
        'The rule is for every question and search that has all meaningful words of this text, in any order and form.',
      ),
    pin: z
      .array(pagePath)
      .max(5)
      .default([])
      .describe('Paths of pages that come first and are quoted, in this order.'),
    block: z.array(pagePath).max(20).default([]).describe('Paths of pages that are not found.'),
  })
  .meta({
    id: 'PageRule',
    description: 'The pages of a question.',
    examples: [{ question: 'rotate a key', pin: ['guides/keys'], block: [] }],
  });
/** Browsers load the rules with the index. */
const MAX_RULES_BYTES = 16_384;
const isSmall = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= MAX_RULES_BYTES;
const TOO_LARGE = 'must take at most 16 KB as JSON';

/** How owners steer search and answers, as `SearchRules`. */
export const searchRuleFields = {
  synonyms: z
    .array(z.array(phrase).min(2).max(20))
    .max(200)
    .refine(isSmall, TOO_LARGE)
    .describe(
      'Lists of words and phrases that mean the same on this site, for search and answers; a phrase has at most three words.',
    ),
  pageRules: z
    .array(pageRule)
    .max(200)
    .refine(isSmall, TOO_LARGE)
    .describe('Pages that are pinned or blocked for a question, in search and answers.'),
};
