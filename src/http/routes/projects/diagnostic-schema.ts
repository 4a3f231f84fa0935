import { z } from 'zod';

const place = {
  file: z.string().describe('File of the source.'),
  line: z.int().optional().describe('Line in the file, counted from 1.'),
  column: z.int().optional().describe('Column in the line, counted from 1.'),
};
const placeSchema = z.object(place).meta({ id: 'Place', description: 'A place in the source.' });

const diagnostic = {
  ...place,
  severity: z.enum(['error', 'warning']).describe('An `error` costs readers content; a `warning` does not.'),
  code: z.string().describe('Stable name of the finding.'),
  message: z.string().describe('What is wrong.'),
  remedy: z.string().describe('How to fix it.'),
  count: z.int().optional().describe('In how many places it was found, where that is more than one.'),
  places: z.array(placeSchema).optional().describe('The places after the first: all of an error, up to 200 of a warning.'),
};

/** A finding of a build. */
export const diagnosticSchema = z.object(diagnostic).meta({ id: 'Finding', description: 'What a build found in the source.' });
