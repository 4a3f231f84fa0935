import { z } from 'zod';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const metatag = z.union([z.string(), z.number(), z.boolean()], { error: 'a text' }).transform(String);

/** `seo`: whether pages outside the navigation are found too (`indexing: all`), and tags for every page's head. */
export const seo: Setting<SiteConfig['seo']> = {
  schema: z.object({
    indexing: z.enum(['navigable', 'all']).default('navigable'),
    metatags: z.record(z.string().regex(/^[\w:.-]+$/, { error: 'the name of a meta tag' }), metatag).default({}),
  }),
  fallback: { indexing: 'navigable', metatags: {} },
};
