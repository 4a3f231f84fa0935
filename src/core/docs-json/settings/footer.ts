import { z } from 'zod';
import { about, orShort } from '../annotations.ts';
import { filledText, href, icon, listOf } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const socials = z
  .record(z.string(), href)
  .transform((links) => Object.entries(links).map(([platform, href]) => ({ platform, href })));

const item = z.object({
  label: about(filledText, 'The text of the link.'),
  href: about(href, 'The link destination.'),
  icon: icon.optional(),
});

const column = z.object({
  header: about(filledText, 'The title of the column.').optional(),
  items: about(listOf(item), 'The links.'),
});

/** The oldest files list accounts as `[{type, url}]`. */
function toRecord(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(value.map((one: { type?: unknown; url?: unknown } | null) => [String(one?.type), one?.url]));
}

/** `footer`: accounts on other platforms (`{"github": "https://…"}`) and columns of links. */
export const footer: Setting<SiteConfig['footer']> = {
  schema: about(
    z.object({
      socials: orShort(
        about(z.preprocess(toRecord, socials), 'Social accounts: the name of each platform, such as "github", with the URL.'),
        {
          type: 'array',
          items: { type: 'object' },
        },
      ).default([]),
      links: about(listOf(column), 'Columns of links.').default([]),
    }),
    'The footer of every page.',
  ),
  fallback: { socials: [], links: [] },
};
