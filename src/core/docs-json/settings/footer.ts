import { z } from 'zod';
import { filledText, href, listOf } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const socials = z
  .record(z.string(), href)
  .transform((links) => Object.entries(links).map(([platform, href]) => ({ platform, href })));

const column = z.object({ header: filledText.optional(), items: listOf(z.object({ label: filledText, href })) });

/** `footer`: accounts on other platforms (`{"github": "https://…"}`) and columns of links. */
export const footer: Setting<SiteConfig['footer']> = {
  schema: z.object({ socials: socials.default([]), links: listOf(column).default([]) }),
  fallback: { socials: [], links: [] },
};
