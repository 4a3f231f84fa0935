import { z } from 'zod';
import { about } from '../annotations.ts';
import type { IconLibrary } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `icons`: the library of icon names. */
export const icons: Setting<{ library: IconLibrary }> = {
  schema: about(
    z.object({
      library: about(z.enum(['fontawesome', 'lucide', 'tabler']), 'The icon library.').default('fontawesome'),
    }),
    'The icons of the site.',
  ),
  fallback: { library: 'fontawesome' },
};
