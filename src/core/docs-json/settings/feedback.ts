import { z } from 'zod';
import { about, withoutEffect } from '../annotations.ts';
import type { Setting } from './setting.ts';

/** `feedback`: questions below a page. */
export const feedback: Setting<unknown> = {
  schema: withoutEffect(
    about(
      z.object({
        thumbsRating: z.boolean().optional(),
        suggestEdit: z.boolean().optional(),
        raiseIssue: z.boolean().optional(),
      }),
      'Questions below a page.',
    ),
    'pages ask for no feedback',
  ),
  fallback: undefined,
};
