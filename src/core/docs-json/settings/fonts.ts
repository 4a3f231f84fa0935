import { z } from 'zod';
import { about } from '../annotations.ts';
import { assetPath, filledText } from '../schema-parts.ts';
import type { FontConfig, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const WEIGHT_TEXT = 'a weight between 1 and 1000';

/** Names end up in style sheets: no quotes, braces and the like. */
const family = about(
  filledText.regex(/^[\p{L}\p{N} _.,-]+$/u, { error: 'the name of a font such as "Inter"' }),
  'The name of the font. Without "source" it is copied from Google Fonts when the site is built, or used if the reader has it installed.',
);

const fontFields = {
  weight: about(
    z.coerce.number({ error: WEIGHT_TEXT }).min(1, { error: WEIGHT_TEXT }).max(1000, { error: WEIGHT_TEXT }),
    'The weight of the font file.',
  ).optional(),
  source: about(assetPath, 'The font file, in the repository such as "/fonts/inter.woff2", or a URL.').optional(),
  format: about(z.enum(['woff', 'woff2']), 'The format of the font file; by default, from its extension.').optional(),
};
const font = z.object({ family, ...fontFields });

/** `fonts`: a family for everything, overridable by `heading` and `body`. A `source` is a font file with its `format`. */
export const fonts: Setting<SiteConfig['fonts']> = {
  schema: about(
    z
      .object({
        family: family.optional(),
        ...fontFields,
        heading: about(font, 'The font of headings.').optional(),
        body: about(font, 'The font of text.').optional(),
      })
      .transform(({ heading, body, family, ...rest }) => {
        const shared: FontConfig | undefined = family === undefined ? undefined : { family, ...rest };
        const chosen: NonNullable<SiteConfig['fonts']> = {};
        if (heading ?? shared) chosen.heading = heading ?? shared;
        if (body ?? shared) chosen.body = body ?? shared;
        return chosen;
      }),
    'The fonts of the site: one for everything, or one each for headings and body.',
  ),
  fallback: undefined,
};
