import { z } from 'zod';
import { about } from '../annotations.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `appearance`: the appearance at the first visit; `strict` hides the reader's switch. */
export const appearance: Setting<SiteConfig['appearance']> = {
  schema: about(
    z.object({
      default: about(z.enum(['system', 'light', 'dark']), 'The appearance on the first visit.').default('system'),
      strict: about(z.boolean(), 'Whether to hide the switch from readers.').default(false),
    }),
    'Light and dark.',
  ),
  fallback: { default: 'system', strict: false },
};
