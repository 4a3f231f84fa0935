import * as z from 'zod';
import { about, orShort, SHORT_TEXT, setting } from './annotations.ts';
import {
  assetPath,
  filledText,
  hexColor,
  href,
  lightDark,
  lightDarkFields,
  listOf,
  requireOneOfBoth,
} from './schema-parts.ts';
import type { LightDark } from './setting-types.ts';

const THEMES = [
  'mint',
  'maple',
  'palm',
  'willow',
  'linden',
  'almond',
  'aspen',
  'sequoia',
  'luma',
] as const;

const theme = setting<string>(z.enum(THEMES), 'The theme of the site.', 'mint', { required: true });

const name = setting(
  filledText,
  'The name of the project, in the header and in browser titles.',
  'Documentation',
  {
    required: true,
  },
);

const description = setting(
  filledText,
  'One sentence about the project, for search engines and llms.txt.',
);

const colors = setting(
  z
    .object({
      primary: about(hexColor, 'Emphasis in light mode.'),
      light: about(hexColor, 'The accent color in dark mode; by default, "primary".').optional(),
      dark: about(
        hexColor,
        'The color of buttons and hovered links in both modes; by default, the accent color of the mode.',
      ).optional(),
    })
    .transform(({ primary, light = primary, dark }) => ({
      primary,
      light,
      ...(dark !== undefined && { dark }),
    })),
  'The colors of the site, in hexadecimal.',
  { primary: '#1d6b52', light: '#4cc38a', dark: '#1d6b52' },
  { required: true },
);

const appearance = setting(
  z.object({
    default: about(
      z.enum(['system', 'light', 'dark']),
      'The appearance on the first visit.',
    ).default('system'),
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
  .transform(({ href, ...both }, context): LightDark & { href?: string } => ({
    ...requireOneOfBoth(both, context),
    href,
  }));

const logo = setting(
  orShort(
    z.preprocess(
      (value) => (typeof value === 'string' ? { light: value, dark: value } : value),
      files,
    ),
    SHORT_TEXT,
  ),
  'The logo in the header, or one for each mode. By default, the name of the project is shown.',
);

const favicon = setting(
  lightDark(assetPath, 'The icon'),
  'The favicon: one image, or one for each mode.',
);

const background = setting(
  z.object({
    decoration: about(
      z.enum(['gradient', 'grid', 'windows']),
      'A decoration behind the top of the page.',
    ).optional(),
    color: about(
      z.object({
        light: about(hexColor, 'In light mode.').optional(),
        dark: about(hexColor, 'In dark mode.').optional(),
      }),
      'The background color in each mode.',
    ).optional(),
    image: about(
      lightDark(assetPath, 'The image'),
      'A background image, or one for each mode.',
    ).optional(),
  }),
  'The background of pages.',
  {},
);

const icons = setting(
  z.object({
    library: about(z.enum(['fontawesome', 'lucide', 'tabler']), 'The icon library.').default(
      'fontawesome',
    ),
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
    z.coerce
      .number({ error: WEIGHT_TEXT })
      .min(1, { error: WEIGHT_TEXT })
      .max(1000, { error: WEIGHT_TEXT }),
    'The weight of the font file.',
  ).optional(),
  source: about(
    assetPath,
    'The font file, in the repository such as "/fonts/inter.woff2", or a URL.',
  ).optional(),
  format: about(
    z.enum(['woff', 'woff2']),
    'The format of the font file; by default, from its extension.',
  ).optional(),
};
const font = z.object({ family, ...fontFields });
/** The font of headings or of text. */
export type FontConfig = z.output<typeof font>;

const fonts = setting(
  z
    .object({
      family: family.optional(),
      ...fontFields,
      heading: about(font, 'The font of headings.').optional(),
      body: about(font, 'The font of text.').optional(),
    })
    .transform(
      ({ heading, body, family, ...rest }): { heading?: FontConfig; body?: FontConfig } => {
        const shared: FontConfig | undefined =
          family === undefined ? undefined : { family, ...rest };
        return { heading: heading ?? shared, body: body ?? shared };
      },
    ),
  'The fonts of the site: one for everything, or one each for headings and body.',
);

const languages = z.object({
  custom: about(listOf(assetPath), 'Files with TextMate grammars for custom languages.').default(
    [],
  ),
});

interface Codeblocks {
  mode: 'system' | 'dark';
  theme?: LightDark;
  /** TextMate grammar files for custom languages, as site paths. */
  customLanguages?: string[];
}

const codeblocks = z.preprocess(
  (value) =>
    typeof value !== 'string'
      ? value
      : value === 'system' || value === 'dark'
        ? { mode: value }
        : { theme: value },
  z
    .object({
      mode: about(
        z.enum(['system', 'dark']),
        'Whether code follows the appearance or is always dark.',
      ).default('system'),
      theme: about(
        lightDark(filledText, 'The theme'),
        'A highlighting theme such as "github-dark", or one for each appearance; "css-variables" uses the colors in your CSS.',
      ).optional(),
      languages: about(languages, 'Additional languages.').optional(),
    })
    .transform(
      ({ mode, theme, languages }): Codeblocks => ({
        mode,
        theme,
        customLanguages: languages?.custom,
      }),
    ),
);

const styling = setting(
  z.object({
    eyebrows: about(
      z.enum(['section', 'breadcrumbs']),
      'The text above the title of a page.',
    ).default('section'),
    latex: about(
      z.boolean(),
      'Whether LaTeX is rendered; by default, on pages that contain formulas.',
    ).optional(),
    codeblocks: orShort(
      about(
        codeblocks,
        'The appearance of code: "system", "dark", the name of a highlighting theme, or an object.',
      ),
      SHORT_TEXT,
    ).default({ mode: 'system' }),
  }),
  'Styling details.',
  { eyebrows: 'section', codeblocks: { mode: 'system' } },
);

const thumbnails = setting(
  z
    .object({
      appearance: about(
        z.enum(['light', 'dark']),
        'Whether the images are light or dark.',
      ).optional(),
      background: about(assetPath, 'An image behind the text.').optional(),
      fonts: about(
        z.object({ family: about(filledText, 'The name of the font.') }),
        'The font of the text.',
      ).optional(),
    })
    .transform(({ fonts, ...rest }): typeof rest & { fontFamily?: string } => ({
      ...rest,
      fontFamily: fonts?.family,
    })),
  'The preview images for links to pages.',
);

/** What a site is called and looks like. */
export const appearanceSettings = {
  theme,
  name,
  description,
  colors,
  logo,
  favicon,
  appearance,
  fonts,
  icons,
  background,
  styling,
  thumbnails,
};
