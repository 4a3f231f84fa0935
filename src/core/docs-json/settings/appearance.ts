import { z } from 'zod';
import { about, orShort, type Setting, SHORT_TEXT, setting } from '../annotations.ts';
import { assetPath, filledText, hexColor, href, lightDark, lightDarkFields, listOf, requireOneOfBoth } from '../schema-parts.ts';
import type { FontConfig, IconLibrary, SiteConfig } from '../site-config.ts';

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'] as const;

export const theme = setting<string>(z.enum(THEMES), 'The theme of the site.', 'mint', { required: true });

export const colors = setting<SiteConfig['colors']>(
  z
    .object({
      primary: about(hexColor, 'Emphasis in light mode.'),
      light: about(hexColor, 'The accent color in dark mode; by default, "primary".').optional(),
      dark: about(hexColor, 'The color of buttons and hovered links; by default, "primary".').optional(),
    })
    .transform(({ primary, light = primary, dark = primary }) => ({ primary, light, dark })),
  'The colors of the site, in hexadecimal.',
  { primary: '#1d6b52', light: '#4cc38a', dark: '#1d6b52' },
  { required: true },
);

export const appearance = setting<SiteConfig['appearance']>(
  z.object({
    default: about(z.enum(['system', 'light', 'dark']), 'The appearance on the first visit.').default('system'),
    strict: about(z.boolean(), 'Whether to hide the switch from readers.').default(false),
  }),
  'Light and dark.',
  { default: 'system', strict: false },
);

const files = z
  .object({
    ...lightDarkFields(assetPath, 'The image'),
    href: about(href, 'The destination of the logo link; by default, the first page.').optional(),
  })
  .transform(({ href, ...both }, context): NonNullable<SiteConfig['logo']> => {
    const images = requireOneOfBoth(both, context);
    return href === undefined ? images : { ...images, href };
  });

export const logo: Setting<SiteConfig['logo']> = {
  schema: orShort(
    about(
      z.preprocess((value) => (typeof value === 'string' ? { light: value, dark: value } : value), files),
      'The logo in the header, or one for each mode. By default, the name of the project is shown.',
    ),
    SHORT_TEXT,
  ),
  fallback: undefined,
};

export const favicon = setting<SiteConfig['favicon']>(
  lightDark(assetPath, 'The icon'),
  'The favicon: one image, or one for each mode.',
  undefined,
);

export const background = setting<SiteConfig['background']>(
  z.object({
    decoration: about(z.enum(['gradient', 'grid', 'windows']), 'A decoration behind the top of the page.').optional(),
    color: about(
      z.object({
        light: about(hexColor, 'In light mode.').optional(),
        dark: about(hexColor, 'In dark mode.').optional(),
      }),
      'The background color in each mode.',
    ).optional(),
    image: about(lightDark(assetPath, 'The image'), 'A background image, or one for each mode.').optional(),
  }),
  'The background of pages.',
  {},
);

export const icons = setting<{ library: IconLibrary }>(
  z.object({
    library: about(z.enum(['fontawesome', 'lucide', 'tabler']), 'The icon library.').default('fontawesome'),
  }),
  'The icons of the site.',
  { library: 'fontawesome' },
);

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

export const fonts = setting<SiteConfig['fonts']>(
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
  undefined,
);

type Codeblocks = SiteConfig['codeblocks'];

const languages = z.object({
  custom: about(listOf(assetPath), 'Files with TextMate grammars for custom languages.').default([]),
});

const codeblocks = z.preprocess(
  (value) => (typeof value !== 'string' ? value : value === 'system' || value === 'dark' ? { mode: value } : { theme: value }),
  z
    .object({
      mode: about(z.enum(['system', 'dark']), 'Whether code follows the appearance or is always dark.').default('system'),
      theme: about(
        lightDark(filledText, 'The theme'),
        'A highlighting theme such as "github-dark", or one for each appearance; "css-variables" uses the colors in your CSS.',
      ).optional(),
      languages: about(languages, 'Additional languages.').optional(),
    })
    .transform(({ mode, theme, languages }): Codeblocks => {
      const custom = languages?.custom ?? [];
      return { mode, ...(theme ? { theme } : {}), ...(custom.length > 0 ? { customLanguages: custom } : {}) };
    }),
);

export const styling = setting<{ eyebrows: SiteConfig['eyebrows']; latex?: boolean; codeblocks: Codeblocks }>(
  z.object({
    eyebrows: about(z.enum(['section', 'breadcrumbs']), 'The text above the title of a page.').default('section'),
    latex: about(z.boolean(), 'Whether LaTeX is rendered; by default, on pages that contain formulas.').optional(),
    codeblocks: orShort(
      about(codeblocks, 'The appearance of code: "system", "dark", the name of a highlighting theme, or an object.'),
      SHORT_TEXT,
    ).default({ mode: 'system' }),
  }),
  'Styling details.',
  { eyebrows: 'section', codeblocks: { mode: 'system' } },
);

export const thumbnails = setting<SiteConfig['thumbnails']>(
  z
    .object({
      appearance: about(z.enum(['light', 'dark']), 'Whether the images are light or dark.').optional(),
      background: about(assetPath, 'An image behind the text.').optional(),
      fonts: about(z.object({ family: about(filledText, 'The name of the font.') }), 'The font of the text.').optional(),
    })
    .transform(({ appearance, background, fonts }) => ({
      ...(appearance ? { appearance } : {}),
      ...(background ? { background } : {}),
      ...(fonts ? { fontFamily: fonts.family } : {}),
    })),
  'The preview images for links to pages.',
  undefined,
);
