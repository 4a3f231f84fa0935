import { z } from 'zod';
import { about } from '../annotations.ts';
import { filledText, icon, listOf, safeHref } from '../schema-parts.ts';
import type { ContextualOption, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** The built-in entries of the format. */
const CONTEXTUAL_OPTIONS =
  'copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop mcp add-mcp cursor vscode devin-mcp'.split(
    ' ',
  );
const OPTION_TEXT = `one of ${CONTEXTUAL_OPTIONS.map((name) => `"${name}"`).join(', ')}, or {"title", "description", "icon", "href"}`;

const TARGET_TEXT = 'a site path or an https URL, which can contain $page, $path and $mcp';

const target = z.string({ error: TARGET_TEXT }).transform((text, context) => {
  const safe = safeHref(text);
  if (safe !== undefined) return safe;
  context.issues.push({ code: 'custom', message: TARGET_TEXT, input: text });
  return z.NEVER;
});

const built = z.object({
  base: about(target, 'The URL without the query.'),
  query: about(
    listOf(
      z.object({
        key: about(z.string({ error: 'a text' }), 'The name.'),
        value: about(z.string({ error: 'a text' }), 'The value, which can contain $page, $path and $mcp.'),
      }),
    ),
    'The query parameters of the URL.',
  ).default([]),
});

const custom = z
  .object({
    title: about(filledText, 'The text of the entry.'),
    description: about(z.string(), 'A line below it.').default(''),
    icon: icon.optional(),
    href: about(z.union([target, built], { error: `${TARGET_TEXT}, or {"base", "query"}` }), 'The destination of the entry.'),
  })
  .transform((entry): ContextualOption => ({ kind: 'custom', ...entry }));

const builtin = z
  .enum(CONTEXTUAL_OPTIONS, { error: OPTION_TEXT })
  .transform((name): ContextualOption => ({ kind: 'builtin', name }));

const option = z.union([builtin, custom], { error: OPTION_TEXT });

/** `contextual`: the menu of a page for copying it or opening it in another program. */
export const contextual: Setting<SiteConfig['contextual']> = {
  schema: about(
    z.object({
      options: about(
        listOf(option),
        `The entries of the menu, in order; the first is the button: ${CONTEXTUAL_OPTIONS.join(', ')}, or a custom entry.`,
      ).default([]),
      display: about(
        z.enum(['header', 'toc']),
        'The position of the menu: beside the title or below the table of contents.',
      ).default('header'),
    }),
    'The menu of a page: copy it as Markdown, open it in another application.',
  ),
  fallback: undefined,
};

/**
 * Reads the page menu that a page sets instead of the site's.
 * @param value `contextual` of the page's frontmatter, unchecked
 * @returns undefined if the page sets none, or an invalid one; without options the page has no menu
 */
export function pageContextual(value: unknown): SiteConfig['contextual'] {
  if (value === undefined || value === null) return undefined;
  const read = contextual.schema.safeParse(value);
  return read.success ? read.data : undefined;
}
