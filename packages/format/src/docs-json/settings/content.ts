import * as z from 'zod';
import { about, orShort, SHORT_TEXT, setting, withoutEffect } from './annotations.ts';
import { readRepository } from './repository.ts';
import {
  filledText,
  href,
  httpAddress,
  icon,
  listOf,
  readableText,
  safeHref,
} from './schema-parts.ts';

const NAME_TEXT = 'a name of letters, digits and hyphens';

const variables = setting(
  z.record(z.string().regex(/^[A-Za-z0-9-]+$/, { error: NAME_TEXT }), z.string()),
  'Strings that pages use as {{name}}; names consist of letters, digits and hyphens.',
  {},
);

const variations = setting(
  withoutEffect(
    z.object({
      options: z
        .array(z.object({ id: z.string().optional(), label: z.string().optional() }))
        .optional(),
    }),
    'every variation is shown',
  ),
  'Choices of which pages show one.',
);

const metadata = setting(
  z.object({
    timestamp: about(
      z.boolean(),
      'Whether pages show when they were last changed: from "lastUpdatedDate" in their frontmatter, or from the Git repository.',
    ).default(false),
  }),
  'Metadata shown on pages.',
  { timestamp: false },
);

const markdown = setting(
  z.object({
    schema: about(
      z.boolean(),
      'Whether the Markdown of API pages includes the description of the operation.',
    ).default(true),
    instructions: orShort(
      about(
        z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(filledText)),
        'Instructions for agents that read the documentation; included in llms.txt.',
      ),
      SHORT_TEXT,
    ).default([]),
  }),
  'The documentation as Markdown, for agents.',
  { schema: true, instructions: [] },
);

const notFound = z.object({
  redirect: about(
    z.boolean(),
    'Whether unknown URLs redirect to the first page; otherwise a page reports the error and suggests similar pages.',
  ).default(false),
  title: about(filledText, 'The title of the page.').optional(),
  description: about(filledText, 'The text of the page, in Markdown.').optional(),
});

const errors = setting(
  z.object({ '404': about(notFound, 'The page for unknown URLs.').default({ redirect: false }) }),
  'The error pages.',
  { '404': { redirect: false } },
);

const SOURCE_TEXT = 'a site path without "#" and "?", such as "/old/:slug*"';
const PARAMETER = /:([A-Za-z_]\w*)/g;

const source = z
  .string({ error: SOURCE_TEXT })
  .trim()
  .regex(/^(?![a-z][a-z0-9+.-]*:\/\/)[^#?]+$/i, { error: SOURCE_TEXT })
  .transform((path) => (path.startsWith('/') ? path : `/${path}`));

const rule = z
  .object({
    source: about(
      source,
      'The old path. ":name" matches one segment, ":name*" several, "prefix-*" the rest of a segment.',
    ),
    destination: about(
      href,
      'The destination path or URL, which can contain parameters of the source.',
    ),
    permanent: about(
      z.boolean(),
      'Whether the move is permanent (308) or temporary (307).',
    ).default(true),
  })
  .refine(({ source, destination }) => source !== destination, {
    error: 'a destination that differs from the source',
  })
  .refine(
    ({ source, destination }) =>
      parameters(destination).every((name) => parameters(source).includes(name)),
    {
      error: 'a destination whose parameters (":name") all appear in the source',
      path: ['destination'],
    },
  );

function parameters(pattern: string): string[] {
  const path = pattern.replace(/^https?:\/\/[^/?#]*/i, '');
  return Array.from(path.matchAll(PARAMETER), (match) => match[1] as string);
}

const redirects = setting(listOf(rule), 'Redirects from old paths.', []);

const metatag = z
  .union([z.string(), z.number(), z.boolean()], { error: 'a text' })
  .transform(String);

const organization = z.object({
  id: about(httpAddress, 'The URL that identifies the organization.').optional(),
  name: about(filledText, 'Its name; by default that of the project.').optional(),
  legalName: about(filledText, 'Its legal name.').optional(),
  url: about(httpAddress, 'Its site.').optional(),
  logo: about(filledText, 'Its logo: a file of the repository or a URL.').optional(),
  sameAs: about(listOf(httpAddress), 'Its profiles on other platforms.').optional(),
});
/** The publisher of the documentation, for search engines. */
export type Organization = z.output<typeof organization>;

const seo = setting(
  z.object({
    indexing: about(
      z.enum(['navigable', 'all']),
      'Which pages search engines, site search and agents find: those in the navigation, or all.',
    ).default('navigable'),
    metatags: about(
      z.record(z.string().regex(/^[\w:.-]+$/, { error: 'the name of a meta tag' }), metatag),
      'Meta tags for every page: {"og:type": "website"}.',
    ).default({}),
    organization: about(
      organization,
      'The publisher of the documentation, for search engines.',
    ).optional(),
    trailingSlash: about(z.boolean(), 'Whether canonical URLs end in a slash.').optional(),
  }),
  'Search engine optimization.',
  { indexing: 'navigable', metatags: {} },
);

const repository = z
  .string()
  .transform(readRepository)
  .refine((parsedRepository) => parsedRepository !== undefined, {
    message:
      'the https address of a repository or of a folder in it, such as "https://github.com/acme/app/tree/main/docs"',
  });

const feedback = setting(
  z.object({
    thumbsRating: about(
      z.boolean(),
      'Whether pages ask readers if they helped, wherever the answer can be sent.',
    ).default(false),
    suggestEdit: about(
      z.boolean(),
      'Whether pages link to the editor of their file. Needs "repository".',
    ).default(false),
    raiseIssue: about(
      z.boolean(),
      'Whether pages link to the form for a new issue. Needs "repository".',
    ).default(false),
    repository: about(
      repository,
      'URL of the documentation folder on GitHub, GitLab, Bitbucket, Gitea or Forgejo, such as "https://github.com/acme/app/tree/main/docs".',
    ).optional(),
  }),
  'Feedback on pages, and links from pages to their source.',
  { thumbsRating: false, suggestEdit: false, raiseIssue: false },
);

/** The built-in entries of the format. */
const CONTEXTUAL_OPTIONS =
  'copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop mcp add-mcp cursor vscode devin-mcp'.split(
    ' ',
  );
const OPTION_TEXT = `one of ${CONTEXTUAL_OPTIONS.map((name) => `"${name}"`).join(', ')}, or {"title", "description", "icon", "href"}`;

const TARGET_TEXT = 'a site path or an https URL, which can contain $page, $path and $mcp';

const target = readableText(TARGET_TEXT, safeHref);

const built = z.object({
  base: about(target, 'The URL without the query.'),
  query: about(
    listOf(
      z.object({
        key: about(z.string({ error: 'a text' }), 'The name.'),
        value: about(
          z.string({ error: 'a text' }),
          'The value, which can contain $page, $path and $mcp.',
        ),
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
    href: about(
      z.union([target, built], { error: `${TARGET_TEXT}, or {"base", "query"}` }),
      'The destination of the entry.',
    ),
  })
  .transform((entry) => ({ kind: 'custom' as const, ...entry }));

const builtin = z
  .enum(CONTEXTUAL_OPTIONS, { error: OPTION_TEXT })
  .transform((name) => ({ kind: 'builtin' as const, name }));

const option = z.union([builtin, custom], { error: OPTION_TEXT });
/** An entry of the page menu: a built-in one, or one of the author's. */
export type ContextualOption = z.output<typeof option>;

const contextual = setting(
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
);

const checks = setting(
  z.record(
    z.string().regex(/^[a-z]+(?:-[a-z]+)*$/, { error: 'the code of a problem' }),
    z.enum(['error', 'warning', 'off']),
  ),
  'The severity of problems by their code, for example {"broken-link": "warning"}; "off" hides them. An addition of Docent: other tools ignore it.',
);

/** What pages offer beside their text, and how they are found. */
export const contentSettings = {
  contextual,
  redirects,
  variables,
  metadata,
  errors,
  markdown,
  seo,
  variations,
  feedback,
  checks,
};

/**
 * Reads the page menu that a page sets instead of the site's.
 * @param value `contextual` of the page's frontmatter, unchecked
 * @returns undefined if the page sets none, or an invalid one; without options the page has no menu
 */
export function pageContextual(value: unknown) {
  if (value === undefined || value === null) return undefined;
  const read = contextual.schema.safeParse(value);
  return read.success ? read.data : undefined;
}
