import { z } from 'zod';
import { about, orShort, SHORT_TEXT } from '../annotations.ts';
import { filledText, listOf } from '../schema-parts.ts';
import type { Setting } from './setting.ts';

/** `markdown`: the output for programs that read the documentation. */
export const markdown: Setting<{ schema: boolean; instructions: string[] }> = {
  schema: about(
    z.object({
      schema: about(z.boolean(), 'Whether the Markdown of API pages includes the description of the operation.').default(true),
      instructions: orShort(
        about(
          z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(filledText)),
          'Instructions for agents that read the documentation; included in llms.txt.',
        ),
        SHORT_TEXT,
      ).default([]),
    }),
    'The documentation as Markdown, for agents.',
  ),
  fallback: { schema: true, instructions: [] },
};
