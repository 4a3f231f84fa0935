import { z } from 'zod';
import { about } from '../annotations.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const NAME_TEXT = 'a name of letters, digits and hyphens';

/** `variables`: texts that pages use as `{{name}}`. */
export const variables: Setting<SiteConfig['variables']> = {
  schema: about(
    z.record(z.string().regex(/^[A-Za-z0-9-]+$/, { error: NAME_TEXT }), z.string()),
    'Strings that pages use as {{name}}; names consist of letters, digits and hyphens.',
  ),
  fallback: {},
};
