import { z } from 'zod';
import { filledText } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `banner`: a line of Markdown above every page. */
export const banner: Setting<SiteConfig['banner']> = {
  schema: z.object({
    content: filledText,
    dismissible: z.boolean().default(false),
    type: z.enum(['info', 'warning', 'critical']).default('info'),
  }),
  fallback: undefined,
};
