import { z } from 'zod';
import { about } from '../annotations.ts';
import { filledText, hexColor, lightDark } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `banner`: a line of Markdown above every page. */
export const banner: Setting<SiteConfig['banner']> = {
  schema: about(
    z.object({
      content: about(filledText, 'A line of Markdown: links, strong, emphasis, code.'),
      dismissible: about(z.boolean(), 'Whether readers can close it; it stays closed until the text changes.').default(false),
      type: about(z.enum(['info', 'warning', 'critical']), 'The type of message.').default('info'),
      color: about(lightDark(hexColor, 'Its color'), 'A color that replaces that of the type, or one for each mode.').optional(),
    }),
    'A banner above every page.',
  ),
  fallback: undefined,
};
