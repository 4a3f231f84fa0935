import { z } from 'zod';
import { about, orShort, SHORT_TEXT, withoutEffect } from '../annotations.ts';
import { filledText, listOf } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `name`: the name of the project, in the header and in browser titles. */
export const name: Setting<string> = {
  schema: about(filledText, 'The name of the project, in the header and in browser titles.'),
  fallback: 'Documentation',
  required: true,
};

/** `description`: one sentence about the project, for search engines and `llms.txt`. */
export const description: Setting<string | undefined> = {
  schema: about(filledText, 'One sentence about the project, for search engines and llms.txt.'),
  fallback: undefined,
};

const NAME_TEXT = 'a name of letters, digits and hyphens';

/** `variables`: texts that pages use as `{{name}}`. */
export const variables: Setting<SiteConfig['variables']> = {
  schema: about(
    z.record(z.string().regex(/^[A-Za-z0-9-]+$/, { error: NAME_TEXT }), z.string()),
    'Strings that pages use as {{name}}; names consist of letters, digits and hyphens.',
  ),
  fallback: {},
};

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

/** `metadata`: the metadata that pages show. */
export const metadata: Setting<{ timestamp: boolean }> = {
  schema: about(
    z.object({
      timestamp: about(
        z.boolean(),
        'Whether pages show when they were last changed: from "lastUpdatedDate" in their frontmatter, or from the Git repository.',
      ).default(false),
    }),
    'Metadata shown on pages.',
  ),
  fallback: { timestamp: false },
};

/** `markdown`: the output for programs that read the documentation. */
export const markdown: Setting<{ schema: boolean; instructions: string[] }> = {
  schema: about(
    z.object({
      schema: about(z.boolean(), 'Whether the Markdown of API pages includes the description of the operation.').default(true),
      instructions: orShort(
        about(
          z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(filledText)),
          'Instructions for agents that read the documentation; included in llms.txt.',
        ),
        SHORT_TEXT,
      ).default([]),
    }),
    'The documentation as Markdown, for agents.',
  ),
  fallback: { schema: true, instructions: [] },
};

const notFound = z.object({
  redirect: about(
    z.boolean(),
    'Whether unknown URLs redirect to the first page; otherwise a page reports the error and suggests similar pages.',
  ).default(false),
  title: about(filledText, 'The title of the page.').optional(),
  description: about(filledText, 'The text of the page, in Markdown.').optional(),
});

/** `errors`: the page for paths without a page: `{"404": {redirect, title, description}}`. */
export const errors: Setting<{ '404': SiteConfig['errors404'] }> = {
  schema: about(
    z.object({ '404': about(notFound, 'The page for unknown URLs.').default({ redirect: false }) }),
    'The error pages.',
  ),
  fallback: { '404': { redirect: false } },
};
