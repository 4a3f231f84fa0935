import { z } from 'zod';
import { filledText, lightDark } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

type Codeblocks = SiteConfig['codeblocks'];

const codeblocks = z.preprocess(
  (value) => (typeof value !== 'string' ? value : value === 'system' || value === 'dark' ? { mode: value } : { theme: value }),
  z
    .object({ mode: z.enum(['system', 'dark']).default('system'), theme: lightDark(filledText).optional() })
    .transform(({ mode, theme }): Codeblocks => (theme ? { mode, theme } : { mode })),
);

/**
 * `styling`: what stands above a page's title (`eyebrows`), whether formulas are read (`latex`), and how code looks:
 * `system`, `dark`, the name of a highlighting theme, or `{theme: {light, dark}}`.
 */
export const styling: Setting<{ eyebrows: SiteConfig['eyebrows']; latex?: boolean; codeblocks: Codeblocks }> = {
  schema: z.object({
    eyebrows: z.enum(['section', 'breadcrumbs']).default('section'),
    latex: z.boolean().optional(),
    codeblocks: codeblocks.default({ mode: 'system' }),
  }),
  fallback: { eyebrows: 'section', codeblocks: { mode: 'system' } },
};
