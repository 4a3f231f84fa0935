import { z } from 'zod';
import { about } from '../annotations.ts';
import { filledText } from '../schema-parts.ts';
import type { Setting } from './setting.ts';

/** `search`: `prompt` is the text in the empty search field. */
export const search: Setting<{ prompt?: string }> = {
  schema: about(z.object({ prompt: about(filledText, 'The placeholder of the search field.').optional() }), 'The search field.'),
  fallback: {},
};
