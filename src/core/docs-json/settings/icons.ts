import { z } from 'zod';
import type { IconLibrary } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `icons`: the library that icon names are looked up in. */
export const icons: Setting<{ library: IconLibrary }> = {
  schema: z.object({ library: z.enum(['fontawesome', 'lucide', 'tabler']).default('fontawesome') }),
  fallback: { library: 'fontawesome' },
};
