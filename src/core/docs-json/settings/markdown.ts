import { z } from 'zod';
import { filledText, listOf } from '../schema-parts.ts';
import type { Setting } from './setting.ts';

/** `markdown`: `instructions` for programs that read the documentation; they stand in `llms.txt`. */
export const markdown: Setting<{ instructions: string[] }> = {
  schema: z.object({
    instructions: z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(filledText)).default([]),
  }),
  fallback: { instructions: [] },
};
