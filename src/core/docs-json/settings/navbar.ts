import { z } from 'zod';
import { styledIcon } from '../../styled-icon.ts';
import { about, withoutEffect } from '../annotations.ts';
import { filledText, href, icon, iconType, listOf } from '../schema-parts.ts';
import type { NavbarLink, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const LABELS: Record<'github' | 'discord', string> = { github: 'GitHub', discord: 'Discord' };
const MISSING_LABEL = 'a "label" (optional only for links of the type "github" or "discord")';

const label = about(filledText, 'The text of the link.').optional();
const target = about(href, 'The link destination.');

const link = z
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
      return { label: text, href, ...(icon && { icon: styledIcon(icon, iconType) }), ...(type && { type }) };
    context.issues.push({ code: 'custom', message: MISSING_LABEL, input: undefined, path: ['label'] });
    return z.NEVER;
  });

const primary = z
  .object({
    type: about(z.enum(['button', 'github', 'discord']), 'The appearance.').default('button'),
    label,
    href: target,
    icon: withoutEffect(icon, 'the primary link has the logo of its type, or none').optional(),
  })
  .transform(({ type, label, href }, context) => {
    const text = label ?? (type === 'button' ? undefined : LABELS[type]);
    if (text !== undefined) return { type, label: text, href };
    context.issues.push({ code: 'custom', message: MISSING_LABEL, input: undefined, path: ['label'] });
    return z.NEVER;
  });

/** `navbar`: the links in the header, and a primary button. */
export const navbar: Setting<SiteConfig['navbar']> = {
  schema: about(
    z.object({
      links: about(listOf(link), 'Links in the header.').default([]),
      primary: about(primary, 'The primary link, shown as a button.').optional(),
    }),
    'The links in the header.',
  ),
  fallback: { links: [] },
};
