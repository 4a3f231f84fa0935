import { z } from 'zod';
import { range } from './analytics-schema.ts';

/** What every report can be kept to. */
export const reportFilters = {
  ...range,
  path: z.string().max(500).optional().describe('Only this page: its path with the leading slash.'),
  version: z.string().max(100).optional().describe('Only pages of this version.'),
  language: z.string().max(100).optional().describe('Only pages in this language.'),
};

/** How reports are read page by page. */
export const reportPaging = {
  limit: z.coerce.number().int().min(1).max(250).default(50).describe('Maximum number of rows to return.'),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0).describe('Number of rows to skip.'),
};
