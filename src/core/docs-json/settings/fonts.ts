import { z } from 'zod';
import { assetPath, filledText } from '../schema-parts.ts';
import type { FontConfig, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const WEIGHT_TEXT = 'a weight between 1 and 1000';

/** Names end in style sheets: quotes, braces and the like have no place in them. */
const family = filledText.regex(/^[\p{L}\p{N} _.,-]+$/u, { error: 'the name of a font such as "Inter"' });

const fontFields = {
  weight: z.coerce.number({ error: WEIGHT_TEXT }).min(1, { error: WEIGHT_TEXT }).max(1000, { error: WEIGHT_TEXT }).optional(),
  source: assetPath.optional(),
  format: z.enum(['woff', 'woff2']).optional(),
};
const font = z.object({ family, ...fontFields });

/** `fonts`: a family for everything, with `heading` and `body` to differ. A `source` is a font file with its `format`. */
export const fonts: Setting<SiteConfig['fonts']> = {
  schema: z
    .object({ family: family.optional(), ...fontFields, heading: font.optional(), body: font.optional() })
    .transform(({ heading, body, family, ...rest }) => {
      const shared: FontConfig | undefined = family === undefined ? undefined : { family, ...rest };
      const chosen: NonNullable<SiteConfig['fonts']> = {};
      if (heading ?? shared) chosen.heading = heading ?? shared;
      if (body ?? shared) chosen.body = body ?? shared;
      return chosen;
    }),
  fallback: undefined,
};
