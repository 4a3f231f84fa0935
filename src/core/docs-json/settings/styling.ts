import { z } from 'zod';
import { about, orShort, SHORT_TEXT } from '../annotations.ts';
import { assetPath, filledText, lightDark, listOf } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

type Codeblocks = SiteConfig['codeblocks'];

const languages = z.object({
  custom: about(listOf(assetPath), 'Files with TextMate grammars for languages of your own.').default([]),
});

const codeblocks = z.preprocess(
  (value) => (typeof value !== 'string' ? value : value === 'system' || value === 'dark' ? { mode: value } : { theme: value }),
  z
    .object({
      mode: about(z.enum(['system', 'dark']), 'Whether code follows the appearance or is always dark.').default('system'),
      theme: about(
        lightDark(filledText, 'The theme'),
        'A highlighting theme such as "github-dark", or one for each appearance; "css-variables" takes its colors from your CSS.',
      ).optional(),
      languages: about(languages, 'Languages beyond those that come with the platform.').optional(),
    })
    .transform(({ mode, theme, languages }): Codeblocks => {
      const custom = languages?.custom ?? [];
      return { mode, ...(theme ? { theme } : {}), ...(custom.length > 0 ? { customLanguages: custom } : {}) };
    }),
);

/**
 * `styling`: what stands above a page's title (`eyebrows`), whether formulas are read (`latex`), and how code looks:
 * `system`, `dark`, the name of a highlighting theme, or `{theme: {light, dark}}`.
 */
export const styling: Setting<{ eyebrows: SiteConfig['eyebrows']; latex?: boolean; codeblocks: Codeblocks }> = {
  schema: about(
    z.object({
      eyebrows: about(z.enum(['section', 'breadcrumbs']), 'What stands above the title of a page.').default('section'),
      latex: about(z.boolean(), 'Whether formulas are read; by default on pages that have some.').optional(),
      codeblocks: orShort(
        about(codeblocks, 'How code looks: "system", "dark", the name of a highlighting theme, or an object.'),
        SHORT_TEXT,
      ).default({ mode: 'system' }),
    }),
    'Details of the look.',
  ),
  fallback: { eyebrows: 'section', codeblocks: { mode: 'system' } },
};
