import { z } from 'zod';
import { about, orShort, SHORT_TEXT } from '../annotations.ts';
import { filledText, listOf } from '../schema-parts.ts';
import type { Setting } from './setting.ts';

/** `markdown`: what programs that read the documentation get. */
export const markdown: Setting<{ schema: boolean; instructions: string[] }> = {
  schema: about(
    z.object({
      schema: about(z.boolean(), 'Whether the Markdown of API pages holds the description of the operation.').default(true),
      instructions: orShort(
        about(
          z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(filledText)),
          'What programs that read the documentation should know; stands in llms.txt.',
        ),
        SHORT_TEXT,
      ).default([]),
    }),
    'The documentation as Markdown, for programs.',
  ),
  fallback: { schema: true, instructions: [] },
};
