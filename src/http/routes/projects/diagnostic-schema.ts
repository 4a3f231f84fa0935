import { z } from 'zod';

const place = {
  file: z.string().describe('File of the source.'),
  line: z.int().optional().describe('Line in the file, counted from 1.'),
  column: z.int().optional().describe('Column in the line, counted from 1.'),
};
const placeSchema = z.object(place).meta({ id: 'Place', description: 'A location in the source.' });

const diagnostic = {
  ...place,
  severity: z
    .enum(['error', 'warning', 'info'])
    .describe('An `error` loses content; a `warning` does not; `info` is not a fault.'),
  code: z.string().describe('Stable name of the finding.'),
  message: z.string().describe('What is wrong.'),
  remedy: z.string().describe('How to fix it.'),
  count: z.int().optional().describe('Number of occurrences, if more than one.'),
  places: z.array(placeSchema).optional().describe('The locations after the first: all of an error, up to 200 of a warning.'),
};

/** A finding of a build. */
export const diagnosticSchema = z.object(diagnostic).meta({ id: 'Finding', description: 'A finding of a build in the source.' });

export const buildReportSchema = z
  .object({
    pageCount: z.int().describe('Number of built pages.'),
    failedPageCount: z.int().describe('Number of pages that could not be built.'),
    fileCount: z.int().describe('Other files of the site, such as images.'),
    durationMs: z.number().describe('Duration of the build, in milliseconds.'),
    diagnostics: z.array(diagnosticSchema).describe('Findings in the source, with location and remedy.'),
  })
  .meta({ id: 'BuildReport', description: 'The report of a build.' });
