import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { listSitePages } from './list-site-pages.ts';

const sitePage = field.resource(
  'SitePage',
  'A page of a live site.',
  {
    path: field.text('Address of the page within the site, for example `/guides/start`.'),
    title: field.text('Title of the page.'),
    version: field.text.orNull('The version that it belongs to; `null` if it belongs to all.'),
    language: field.text.orNull('The language that it belongs to; `null` if it belongs to all.'),
  },
  { path: '/guides/start', title: 'Start', version: 'v2', language: 'en' },
);

const labels = (kind: string) => field.texts(`All ${kind} of the site, whatever the filters.`);

/** Registers the route of the pages of a site. */
export function sitePagesRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'GET /v1/projects/:projectId/pages',
    operationId: 'listSitePages',
    summary: 'List the pages of a site',
    description:
      'Lists the pages of the live site in the order of its menu, with the versions and languages that it has. It is empty until the first source is published.',
    permission: 'projects.read',
    query: z.object({
      q: field.optional(
        plainText(0, 200),
        'Only pages with each of these words in their title or address.',
      ),
      version: field.optional(
        z.string().max(200),
        'Only pages of this version and those of all versions.',
      ),
      language: field.optional(
        z.string().max(200),
        'Only pages in this language and those of all languages.',
      ),
      ...paging(1000, 100),
    }),
    answer: listOf(sitePage, 'The pages.').extend({
      versions: labels('versions'),
      languages: labels('languages'),
    }),
    run: async ({ actor, params: { projectId }, query: { q: text, ...query } }) => {
      const pages = await listSitePages(deps, actor, { projectId, text, ...query });
      const { versions, languages } = pages;
      const list = pageOf(pages, ({ href, title, version = null, language = null }) => ({
        path: href,
        title,
        version,
        language,
      }));
      return { ...list, versions, languages };
    },
  });
}
