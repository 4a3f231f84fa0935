import { DocentError } from '@docent/format/errors.ts';
import { MAX_QUERY_LENGTH } from '@docent/search/query/query-groups.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { type CountDeps, countApiCall } from '../kernel/http/count-fetch.ts';
import * as field from '../kernel/operations/described.ts';
import {
  type DiscoveryAccess,
  discoveryOperationsOf,
} from '../kernel/operations/discovery-operation.ts';
import { readPage } from '../kernel/sites/site-pages.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { searchSiteForReaders } from './search-site.ts';

const NARROWING =
  'Groups to narrow the reader (`X-Reader-Token`) to: pages for other groups are left out. They never open anything.';

const searchBody = z
  .object({
    query: z
      .string()
      .min(1)
      .describe(`Words or a question. Only the first ${MAX_QUERY_LENGTH} characters are searched.`),
    pageSize: z
      .number()
      .int()
      .min(1)
      .max(50)
      .default(10)
      .describe('Maximum number of pages to return.'),
    scoreThreshold: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('Exclude pages with a lower score.'),
    filter: z
      .object({
        version: field.text.optional('Only pages of this version, and pages without a version.'),
        language: field.text.optional('Only pages in this language, and pages without a language.'),
        tag: field.text.optional('Only pages with this tag.'),
        groups: z.array(z.string()).max(100).optional().describe(NARROWING),
      })
      .nullish()
      .describe('Filters.'),
  })
  .meta({ examples: [{ query: 'rotate a key', pageSize: 5 }] });

const result = field.resource(
  'SearchResult',
  'A matching page.',
  {
    content: field.text('Markdown of the matching sections.'),
    path: field.text('Path of the page, without a leading slash.'),
    metadata: field.part('Metadata of the page.', {
      title: field.text('Title of the page.'),
      score: z.number().min(0).max(1).describe('Relevance of the page, between 0 and 1.'),
      url: field.text('Absolute URL, with the anchor of the best section.'),
      version: field.text.optional(
        'Version that the page belongs to: the requested one, if several have the page.',
      ),
      language: field.text.optional('Language of the page.'),
      highlights: field.list(
        z.object({
          text: field.text('Plain text.'),
          ranges: field.list(
            z.tuple([z.number().int(), z.number().int()]),
            'Start and end of each matching word, in UTF-16 units.',
          ),
        }),
        'Passages of the page around matching words, at most three.',
      ),
    }),
  },
  {
    content:
      '## Rotate or revoke a key\n\nTo rotate an API key, make a second one with the same options …',
    path: 'guides/keys',
    metadata: {
      title: 'Keys',
      score: 0.83,
      url: 'https://docs.acme.example/guides/keys#rotate-or-revoke-a-key',
      highlights: [
        {
          text: 'To rotate an API key, make a second one',
          ranges: [
            [3, 9],
            [17, 20],
          ],
        },
      ],
    },
  },
);

/** Results of a search in the format of the API. */
async function foundPages(
  deps: Pick<Deps, 'siteSearch'>,
  site: LiveSite,
  { query, pageSize, scoreThreshold, filter }: z.output<typeof searchBody>,
): Promise<z.input<typeof result>[]> {
  const { version, language, tag, groups } = filter ?? {};
  const pages = await searchSiteForReaders(deps, groups ? site.narrowed(groups) : site, {
    query: query.slice(0, MAX_QUERY_LENGTH),
    pageSize,
    scoreThreshold,
    filter: { ...(version && { version }), ...(language && { language }), ...(tag && { tag }) },
  });
  return pages.map(({ content, path, url, metadata, highlights }) => ({
    content,
    path,
    metadata: { ...metadata, url, highlights },
  }));
}

/** `POST /v1/search/{domain}` */
export function searchRoute(
  app: App,
  deps: CountDeps & Pick<Deps, 'siteSearch'>,
  access: DiscoveryAccess,
): void {
  const operation = discoveryOperationsOf(app, access, 'Search');
  operation({
    route: 'POST /v1/search/:domain',
    operationId: 'searchSite',
    summary: 'Search a site',
    description:
      'Finds the pages of a site that match a query, best first, each with the matching sections.',
    bucket: 'search',
    body: searchBody,
    answer: z.array(result),
    run: ({ site, request, body }) => {
      countApiCall(deps, site, request, { surface: 'search' });
      return foundPages(deps, site, body);
    },
  });
}

const pageBody = z
  .object({
    path: z
      .string()
      .min(1)
      .max(2000)
      .describe(
        'Path of the page, `guides/start`. A leading slash, an anchor, `.md`, and a full URL of the site are accepted too.',
      ),
    groups: z.array(z.string()).max(100).optional().describe(NARROWING),
  })
  .meta({ examples: [{ path: 'guides/keys' }] });

const pageAnswer = z
  .object({
    path: field.text('Path of the page, without a leading slash.'),
    content: field.text('The page as Markdown.'),
  })
  .meta({
    examples: [
      {
        path: 'guides/keys',
        content: '# Keys\n\nAssistant keys are public and belong to one site …',
      },
    ],
  });

/** `POST /v1/page/{domain}` */
export function pageRoute(app: App, deps: CountDeps, access: DiscoveryAccess): void {
  const operation = discoveryOperationsOf(app, access, 'Search');
  operation({
    route: 'POST /v1/page/:domain',
    operationId: 'readPage',
    summary: 'Read a page',
    description: 'Returns a page of a site as Markdown.',
    bucket: 'search',
    body: pageBody,
    answer: pageAnswer,
    run: async ({ site, request, body }) => {
      const { path, groups } = body;
      const page = await readPage(groups ? site.narrowed(groups) : site, path);
      if (!page)
        throw new DocentError('page_not_found', `The site has no page at ${path.slice(0, 200)}.`);
      countApiCall(deps, site, request, { surface: 'page-api', path: page.path });
      return { path: page.path, content: page.content };
    },
  });
}
