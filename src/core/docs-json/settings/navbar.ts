import { z } from 'zod';
import { filledText, href, icon, listOf } from '../schema-parts.ts';
import type { LabelledLink, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const LABELS: Record<'github' | 'discord', string> = { github: 'GitHub', discord: 'Discord' };
const MISSING_LABEL = 'a "label" (only links of the type "github" or "discord" can do without)';

const link = z
  .object({ type: z.enum(['github', 'discord']).optional(), label: filledText.optional(), href, icon: icon.optional() })
  .transform(({ type, label, href, icon = type }, context): LabelledLink => {
    const text = label ?? (type ? LABELS[type] : undefined);
    if (text !== undefined) return icon ? { label: text, href, icon } : { label: text, href };
    context.issues.push({ code: 'custom', message: MISSING_LABEL, input: undefined, path: ['label'] });
    return z.NEVER;
  });

const primary = z
  .object({ type: z.enum(['button', 'github', 'discord']).default('button'), label: filledText.optional(), href })
  .transform(({ type, label, href }, context) => {
    const text = label ?? (type === 'button' ? undefined : LABELS[type]);
    if (text !== undefined) return { type, label: text, href };
    context.issues.push({ code: 'custom', message: MISSING_LABEL, input: undefined, path: ['label'] });
    return z.NEVER;
  });

/** `navbar`: the links in the header, and one that stands out. */
export const navbar: Setting<SiteConfig['navbar']> = {
  schema: z.object({ links: listOf(link).default([]), primary: primary.optional() }),
  fallback: { links: [] },
};
