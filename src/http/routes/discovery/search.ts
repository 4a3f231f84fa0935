import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import type { LiveSite } from '../../../services/live-sites.ts';
import { searchSiteForReaders } from '../../../services/search-site.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { discoveryHooks, discoveryPrefixes, domainParams } from './discovery-operation.ts';

/** What a search asks for. */
export const searchBody = z.object({
  query: z.string().min(1).max(2000),
  pageSize: z.number().int().min(1).max(50).default(10),
  scoreThreshold: z.number().min(0).max(1).default(0),
  filter: z
    .object({
      version: z.string().optional(),
      language: z.string().optional(),
      tag: z.string().optional(),
      groups: z.array(z.string()).max(100).optional(),
    })
    .nullish(),
});

const result = z.object({
  content: z.string().describe('Markdown of the sections that matched.'),
  path: z.string().describe('Path of the page, without a leading slash.'),
  metadata: z.object({
    title: z.string(),
    score: z.number().min(0).max(1),
    url: z.string().describe('Absolute address, with the anchor of the best section.'),
    version: z.string().optional(),
    language: z.string().optional(),
    highlights: z
      .array(
        z.object({
          text: z.string().describe('Plain text.'),
          ranges: z.array(z.tuple([z.number().int(), z.number().int()])).describe('Start and end of each word found.'),
        }),
      )
      .describe('Stretches of the page around the words of the query, at most three.'),
  }),
});

/** What a search finds, as the API tells it. */
export async function foundPages(
  deps: Pick<Deps, 'siteSearch'>,
  site: LiveSite,
  { query, pageSize, scoreThreshold, filter }: z.output<typeof searchBody>,
): Promise<z.input<typeof result>[]> {
  const { version, language, tag } = filter ?? {};
  const pages = await searchSiteForReaders(deps, site, {
    query,
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
export function searchRoute(app: App, deps: Deps): void {
  for (const { prefix, hide } of discoveryPrefixes) {
    const { onRequest, siteOf } = discoveryHooks(deps);
    app.route({
      method: 'POST',
      url: `${prefix}/v1/search/:domain`,
      schema: {
        hide,
        operationId: 'searchSite',
        summary: 'Search a site',
        description: 'Pages that speak of the query, best first. Scores are between 0 and 1.',
        tags: ['Search'],
        security: [{ assistantKey: [] }],
        params: domainParams,
        body: searchBody,
        response: { 200: z.array(result), ...problems(400, 401, 403, 404, 413, 415, 429) },
      },
      onRequest,
      handler: async (request, reply) => {
        return reply.send(await foundPages(deps, siteOf(request), request.body));
      },
    });
  }
}
