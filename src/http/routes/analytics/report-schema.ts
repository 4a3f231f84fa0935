import { z } from 'zod';
import { CLIENT_CLASSES } from '../../../core/analytics/classify-client.ts';
import { type Dimension, type ViewFilterName, viewFiltersOf } from '../../../core/analytics/reports.ts';
import { plainText } from '../fields.ts';
import { range } from './analytics-schema.ts';

export const reportFilters = {
  ...range,
  path: plainText(0, 500).optional().describe('Only this page: its path with the leading slash.'),
  version: plainText(0, 100).optional().describe('Only pages of this version.'),
  language: plainText(0, 100).optional().describe('Only pages in this language.'),
};

const parseCampaign = z.preprocess(
  (text) => {
    try {
      return JSON.parse(String(text));
    } catch {
      return undefined;
    }
  },
  z.tuple([z.string(), z.string(), z.string(), z.string()]),
);

/** The filters of `VIEW_FILTERS`. */
const ofViews: Record<ViewFilterName, z.ZodOptional<z.ZodType<string>>> = {
  referrer: plainText(0, 253).optional().describe('Only readers who came from this host; empty: from none.'),
  campaign: z
    .string()
    .max(1000)
    .refine((text) => parseCampaign.safeParse(text).success, 'Use a JSON array of four strings.')
    .transform((text) => JSON.stringify(parseCampaign.parse(text)))
    .optional()
    .describe(
      'Only readers who came with this campaign: `source`, `medium`, `campaign` and `ref` of the report `campaigns`, as a JSON array of four strings.',
    ),
  device: z.enum(['desktop', 'mobile', 'tablet']).optional().describe('Only readers with this kind of device.'),
  browser: plainText(0, 100).optional().describe('Only readers with this browser; empty: with an unknown browser.'),
  class: z.enum(CLIENT_CLASSES).exclude(['human']).optional().describe('Only requests of machines of this class.'),
  agent: plainText(0, 100).optional().describe('Only requests of this known machine; empty: of unknown ones.'),
  missing: plainText(0, 500).optional().describe('Only views of this address without a page.'),
};
export const viewFilters = { ...reportFilters, ...ofViews };

/** What a report of a dimension can be filtered by. */
export function filtersOf(dimension: Dimension): typeof viewFilters {
  const names = viewFiltersOf(dimension).map((name) => [name, ofViews[name]]);
  return { ...reportFilters, ...Object.fromEntries(names) } as typeof viewFilters;
}

/** Pagination of reports. */
export const reportPaging = {
  limit: z.coerce.number().int().min(1).max(250).default(50).describe('Maximum number of rows to return.'),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0).describe('Number of rows to skip.'),
};
