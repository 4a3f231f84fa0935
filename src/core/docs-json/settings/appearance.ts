import { z } from 'zod';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `appearance`: the appearance at the first visit; `strict` takes the reader's switch away. */
export const appearance: Setting<SiteConfig['appearance']> = {
  schema: z.object({ default: z.enum(['system', 'light', 'dark']).default('system'), strict: z.boolean().default(false) }),
  fallback: { default: 'system', strict: false },
};
