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
  href: about(href, 'Where the link leads.'),
  icon: icon.optional(),
});

const column = z.object({
  header: about(filledText, 'What stands above the links.').optional(),
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
        about(
          z.preprocess(toRecord, socials),
          'Accounts on other platforms: the name of each, such as "github", with its address.',
        ),
        {
          type: 'array',
          items: { type: 'object' },
        },
      ).default([]),
      links: about(listOf(column), 'Columns of links.').default([]),
    }),
    'The foot of every page.',
  ),
  fallback: { socials: [], links: [] },
};
