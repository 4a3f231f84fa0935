import { z } from 'zod';
import { about } from '../annotations.ts';
import { filledText } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const notFound = z.object({
  redirect: about(
    z.boolean(),
    'Whether an address without a page leads to the start of the site; otherwise a page says so and names pages that may be meant.',
  ).default(false),
  title: about(filledText, 'The title of the page.').optional(),
  description: about(filledText, 'The text of the page, in Markdown.').optional(),
});

/** `errors`: what readers see at an address without a page: `{"404": {redirect, title, description}}`. */
export const errors: Setting<{ '404': SiteConfig['errors404'] }> = {
  schema: about(
    z.object({ '404': about(notFound, 'The page for addresses that lead nowhere.').default({ redirect: false }) }),
    'What readers see when something is not there.',
  ),
  fallback: { '404': { redirect: false } },
};
