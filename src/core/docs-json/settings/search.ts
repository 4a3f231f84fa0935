import { z } from 'zod';
import { filledText } from '../schema-parts.ts';
import type { Setting } from './setting.ts';

/** `search`: `prompt` is the text in the empty search field. */
export const search: Setting<{ prompt?: string }> = { schema: z.object({ prompt: filledText.optional() }), fallback: {} };
