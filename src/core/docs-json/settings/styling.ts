import { z } from 'zod';
import { about, orShort, SHORT_TEXT } from '../annotations.ts';
import { assetPath, filledText, lightDark, listOf } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

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

/**
 * `styling`: the line above a page's title (`eyebrows`), whether formulas are rendered (`latex`), and the code theme: `system`,
 * `dark`, the name of a highlighting theme, or `{theme: {light, dark}}`.
 */
export const styling: Setting<{ eyebrows: SiteConfig['eyebrows']; latex?: boolean; codeblocks: Codeblocks }> = {
  schema: about(
    z.object({
      eyebrows: about(z.enum(['section', 'breadcrumbs']), 'The text above the title of a page.').default('section'),
      latex: about(z.boolean(), 'Whether LaTeX is rendered; by default, on pages that contain formulas.').optional(),
      codeblocks: orShort(
        about(codeblocks, 'The appearance of code: "system", "dark", the name of a highlighting theme, or an object.'),
        SHORT_TEXT,
      ).default({ mode: 'system' }),
    }),
    'Styling details.',
  ),
  fallback: { eyebrows: 'section', codeblocks: { mode: 'system' } },
};
