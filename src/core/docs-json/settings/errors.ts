import { z } from 'zod';
import { filledText } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const notFound = z.object({
  redirect: z.boolean().default(true),
  title: filledText.optional(),
  description: filledText.optional(),
});

/** `errors`: what readers see at an address without a page: `{"404": {redirect, title, description}}`. */
export const errors: Setting<{ '404': SiteConfig['errors404'] }> = {
  schema: z.object({ '404': notFound.default({ redirect: true }) }),
  fallback: { '404': { redirect: true } },
};
