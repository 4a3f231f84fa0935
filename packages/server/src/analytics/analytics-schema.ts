import { STORED_OUTCOMES } from '@docent/assistant/chat/answer-event.ts';
import { CLIENT_CLASSES } from '@docent/format/analytics/classify-client.ts';
import { parseJson } from '@docent/format/analytics/reader-events.ts';
import type { VisitorFilterName } from '@docent/format/analytics/reports.ts';
import * as z from 'zod';
import type { Config } from '../kernel/config/config.ts';
import type { ModelPrices } from '../kernel/config/model-settings.ts';
import * as field from '../kernel/operations/described.ts';
import { plainText, range, timeOf } from '../kernel/operations/fields.ts';
import type { AnswerRow, MessageRow } from './conversation-queries.ts';

/** A day in UTC. */
export const day = timeOf(z.iso.date());

/**
 * Returns the parameters of a call as the use cases take them, with the period as `from` and `to`.
 */
export function queryOf<
  Params extends object,
  Query extends { dateFrom?: Date | undefined; dateTo?: Date | undefined },
>(call: { params: Params; query: Query }) {
  return { ...call.params, ...call.query, from: call.query.dateFrom, to: call.query.dateTo };
}

export const outcome = field.choice(
  STORED_OUTCOMES,
  'How the answer ended. `partly`: the documentation answers a part of the question, or only comes close; `not_in_docs`: it has no answer; `refused`: the assistant declined; `aborted`: the reader left or stopped it; `failed`: the model failed; `unknown`: an older answer, whose outcome was not stored.',
);

export const sources = field.list(
  field.resource('AnswerSource', 'A source of an answer.', {
    title: field.text('Title of the page.'),
    url: field.text('URL of the page.'),
  }),
  'The sources of the answer.',
);

/** What a language model read and wrote, and its cost. */
export const usage = field.resource(
  'AnswerUsage',
  'Tokens used by the answer, if the model reports them.',
  {
    inputTokens: field.int.orNull('Tokens that the model read.'),
    outputTokens: field.int.orNull('Tokens that the model wrote.'),
    costUsd: field.number.orNull(
      'Cost in US dollars, at the prices of `DOCENT_MODEL_PRICES`; `null` without a price for the model.',
    ),
  },
);

/** How an answer was generated, and its rating. */
export const answerFacts = {
  outcome,
  model: field.text.orNull('The model that wrote the answer.'),
  usage,
  timings: field.resource('AnswerTimings', 'How long the answer took.', {
    firstTextMs: field.int.orNull(
      'Milliseconds from the question to the first text; `null` if there was none.',
    ),
    durationMs: field.int.orNull('Milliseconds from the question to the end of the answer.'),
  }),
  helpful: field.flag.orNull('How the reader rated the answer; `null` without a rating.'),
  comment: field.text.orNull('The reader’s comment.'),
};

/** An example of `answerFacts`. */
export const exampleFacts = {
  outcome: 'answered',
  model: 'extractive',
  usage: { inputTokens: null, outputTokens: null, costUsd: null },
  timings: { firstTextMs: 41, durationMs: 58 },
  helpful: false,
  comment: 'There is no example.',
} as const;

export const exampleSources = [{ title: 'Keys', url: 'https://docs.acme.example/guides/keys' }];

/**
 * Returns what an answer costs in US dollars; null without a price for its model, or if the model
 * did not say what it used.
 */
function costOf(
  prices: ModelPrices,
  {
    model,
    inputTokens,
    outputTokens,
  }: { model: string | null; inputTokens: number | null; outputTokens: number | null },
): number | null {
  const price = model !== null && Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (price === undefined || inputTokens === null || outputTokens === null) return null;
  return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

/** The fields of `usage`. */
export function usageOf(
  { modelPrices }: Pick<Config, 'modelPrices'>,
  used: Parameters<typeof costOf>[1],
) {
  const { inputTokens, outputTokens } = used;
  return { inputTokens, outputTokens, costUsd: costOf(modelPrices, used) };
}

type FactName =
  | ('outcome' | 'model' | 'inputTokens' | 'outputTokens')
  | ('firstTextMs' | 'durationMs' | 'helpful' | 'comment');

/** The fields of `answerFacts`. */
export function factsOf(
  { modelPrices }: Pick<Config, 'modelPrices'>,
  answer: Pick<AnswerRow | MessageRow, FactName>,
) {
  const {
    outcome: ended,
    model,
    inputTokens,
    outputTokens,
    firstTextMs,
    durationMs,
    helpful,
    comment,
  } = answer;
  return {
    outcome: ended,
    model,
    usage: usageOf({ modelPrices }, { model, inputTokens, outputTokens }),
    timings: { firstTextMs, durationMs },
    helpful,
    comment,
  };
}

/** What an answer is based on, as `AnswerBasis`. */
export const basis = field.partOrNull(
  'What the answer is based on, in at most 8 KB; `null` for older answers, for which it was not stored.',
  {
    lookups: field.list(
      z.object({
        tool: field.choice(
          ['search', 'read_page', 'list_pages', 'grep'],
          '`search`, or what a language model opened.',
        ),
        input: field.text('The words, the path, or the text.'),
      }),
      'What the assistant searched and opened, in order.',
    ),
    passages: field.list(
      z.object({
        title: field.text('Title of the page.'),
        headings: field.texts('Headings above the section, outermost first.'),
        url: field.text('URL of the section or the page.'),
        score: field.number.orNull(
          'Score of the search, between 0 and 1; `null` if the page was opened.',
        ),
        isCited: field.flag('Whether the answer quotes or links it.'),
      }),
      'The sections that the assistant read, best first for each search.',
    ),
  },
);

export const exampleBasis = {
  lookups: [{ tool: 'search', input: 'How do I rotate a key?' }],
  passages: [
    {
      title: 'Keys',
      headings: ['Rotate or revoke a key'],
      url: 'https://docs.acme.example/guides/keys#rotate-or-revoke-a-key',
      score: 0.83,
      isCited: true,
    },
  ],
} as const;

export const reportFilters = {
  ...range,
  path: plainText(0, 500).optional().describe('Only this page: its path with the leading slash.'),
  version: plainText(0, 100).optional().describe('Only pages of this version.'),
  language: plainText(0, 100).optional().describe('Only pages in this language.'),
};

const parseCampaign = z.preprocess(
  (text) => parseJson(String(text)),
  z.tuple([z.string(), z.string(), z.string(), z.string()]),
);

/** The filters of `VISITOR_FILTERS`. */
const ofVisitors: Record<VisitorFilterName, z.ZodOptional<z.ZodType<string>>> = {
  referrer: field.optional(
    plainText(0, 253),
    'Only readers who came from this host; empty: from none.',
  ),
  campaign: field.optional(
    z
      .string()
      .max(1000)
      .refine((text) => parseCampaign.safeParse(text).success, 'Use a JSON array of four strings.')
      .transform((text) => JSON.stringify(parseCampaign.parse(text))),
    'Only readers who came with this campaign: `source`, `medium`, `campaign` and `ref` of the report `campaigns`, as a JSON array of four strings.',
  ),
  device: field.optional(
    z.enum(['desktop', 'mobile', 'tablet']),
    'Only readers with this kind of device.',
  ),
  browser: field.optional(
    plainText(0, 100),
    'Only readers with this browser; empty: with an unknown browser.',
  ),
  class: field.optional(z.enum(CLIENT_CLASSES).exclude(['human']), 'Only machines of this class.'),
  agent: plainText(0, 100).optional().describe('Only this known machine; empty: unknown ones.'),
  missing: field.optional(
    plainText(0, 500),
    'Only readers who opened this address without a page.',
  ),
  group: field.optional(
    plainText(1, 200),
    'Only readers who signed in with this group, by which a page is restricted.',
  ),
};
/** What every report can be filtered by. */
export const allFilters = { ...reportFilters, ...ofVisitors };

/** Pagination of reports. */
export const reportPaging = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(250)
    .default(50)
    .describe('Maximum number of rows to return.'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('Number of rows to skip.'),
};
