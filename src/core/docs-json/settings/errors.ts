import { z } from 'zod';
import { about } from '../annotations.ts';
import { filledText } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const notFound = z.object({
  redirect: about(
    z.boolean(),
    'Whether unknown URLs redirect to the first page; otherwise a page reports the error and suggests similar pages.',
  ).default(false),
  title: about(filledText, 'The title of the page.').optional(),
  description: about(filledText, 'The text of the page, in Markdown.').optional(),
});

/** `errors`: the page for paths without a page: `{"404": {redirect, title, description}}`. */
export const errors: Setting<{ '404': SiteConfig['errors404'] }> = {
  schema: about(
    z.object({ '404': about(notFound, 'The page for unknown URLs.').default({ redirect: false }) }),
    'The error pages.',
  ),
  fallback: { '404': { redirect: false } },
};
