import { z } from 'zod';
import { about, withoutEffect } from '../annotations.ts';
import type { Setting } from './setting.ts';

/** `variations`: the choices of the `Variation` component, all of which are shown. */
export const variations: Setting<unknown> = {
  schema: withoutEffect(
    about(
      z.object({ options: z.array(z.object({ id: z.string().optional(), label: z.string().optional() })).optional() }),
      'Choices of which pages show one.',
    ),
    'every variation is shown',
  ),
  fallback: undefined,
};
