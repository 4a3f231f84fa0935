import * as z from 'zod';
import { styledIcon } from '../../styled-icon.ts';
import { about, orShort, setting, withoutEffect } from './annotations.ts';
import { filledText, hexColor, href, icon, iconType, lightDark, listOf } from './schema-parts.ts';
import type { NavbarLink } from './setting-types.ts';

const LABELS: Record<'github' | 'discord', string> = { github: 'GitHub', discord: 'Discord' };
const MISSING_LABEL = 'a "label" (optional only for links of the type "github" or "discord")';

const label = about(filledText, 'The text of the link.').optional();
const target = about(href, 'The link destination.');

const navbarLink = z
  .object({
    type: about(z.enum(['github', 'discord']), 'A link with the logo of that platform.').optional(),
    label,
    href: target,
    icon: icon.optional(),
    iconType: iconType.optional(),
  })
  .transform(({ type, label, href, icon = type, iconType }, context): NavbarLink => {
    const text = label ?? (type ? LABELS[type] : undefined);
    if (text !== undefined)
      return {
        label: text,
        href,
        ...(icon && { icon: styledIcon(icon, iconType) }),
        ...(type && { type }),
      };
    context.issues.push({
      code: 'custom',
      message: MISSING_LABEL,
      input: undefined,
      path: ['label'],
    });
    return z.NEVER;
  });

const navbarButton = z
  .object({
    type: about(z.enum(['button', 'github', 'discord']), 'The appearance.').default('button'),
    label,
    href: target,
    icon: withoutEffect(icon, 'the primary link has the logo of its type, or none').optional(),
  })
  .transform(({ type, label, href }, context) => {
    const text = label ?? (type === 'button' ? undefined : LABELS[type]);
    if (text !== undefined) return { type, label: text, href };
    context.issues.push({
      code: 'custom',
      message: MISSING_LABEL,
      input: undefined,
      path: ['label'],
    });
    return z.NEVER;
  });

export const navbar = setting(
  z.object({
    links: about(listOf(navbarLink), 'Links in the header.').default([]),
    primary: about(navbarButton, 'The primary link, shown as a button.').optional(),
  }),
  'The links in the header.',
  { links: [] },
);

export const banner = setting(
  z.object({
    content: about(filledText, 'A line of Markdown: links, strong, emphasis, code.'),
    dismissible: about(
      z.boolean(),
      'Whether readers can close it; it stays closed until the text changes.',
    ).default(false),
    type: about(z.enum(['info', 'warning', 'critical']), 'The type of message.').default('info'),
    color: about(
      lightDark(hexColor, 'Its color'),
      'A color that replaces that of the type, or one for each mode.',
    ).optional(),
  }),
  'A banner above every page.',
);

const socials = z
  .record(z.string(), href)
  .transform((links) => Object.entries(links).map(([platform, href]) => ({ platform, href })));

const footerLink = z.object({
  label: about(filledText, 'The text of the link.'),
  href: about(href, 'The link destination.'),
  icon: icon.optional(),
});

const footerColumn = z.object({
  header: about(filledText, 'The title of the column.').optional(),
  items: about(listOf(footerLink), 'The links.'),
});

/** The oldest files list accounts as `[{type, url}]`. */
function toRecord(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(
    value.map((link: { type?: unknown; url?: unknown } | null) => [String(link?.type), link?.url]),
  );
}

export const footer = setting(
  z.object({
    socials: orShort(
      about(
        z.preprocess(toRecord, socials),
        'Social accounts: the name of each platform, such as "github", with the URL.',
      ),
      {
        type: 'array',
        items: { type: 'object' },
      },
    ).default([]),
    links: about(listOf(footerColumn), 'Columns of links.').default([]),
  }),
  'The footer of every page.',
  { socials: [], links: [] },
);

const search = setting(
  z.object({ prompt: about(filledText, 'The placeholder of the search field.').optional() }),
  'The search field.',
  {},
);

const interaction = setting(
  z.object({
    drilldown: about(
      z.boolean(),
      'Whether a click on a group opens its first page; by default it only expands the group.',
    ).optional(),
  }),
  'The behavior of the menu.',
  {},
);

/** What is around the text of pages. */
export const frameSettings = { navbar, footer, banner, interaction, search };
