import { z } from 'zod';
import { about } from '../annotations.ts';
import type { IconLibrary } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `icons`: the library that icon names are looked up in. */
export const icons: Setting<{ library: IconLibrary }> = {
  schema: about(
    z.object({
      library: about(z.enum(['fontawesome', 'lucide', 'tabler']), 'Where icon names are looked up.').default('fontawesome'),
    }),
    'The icons of the site.',
  ),
  fallback: { library: 'fontawesome' },
};
