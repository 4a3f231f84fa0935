import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import { readPage } from '../../../services/sites/read-page.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { type CountDeps, countApiCall } from '../../count-fetch.ts';
import { problems } from '../../problem.ts';
import { type DiscoveryAccess, discoveryPrefixes, domainParams } from './discovery-operation.ts';

const pageBody = z
  .object({
    path: z
      .string()
      .min(1)
      .max(2000)
      .describe(
        'Path of the page, `guides/start`. A leading slash, an anchor, `.md`, and a full URL of the site are accepted too.',
      ),
    groups: z.array(z.string()).max(100).optional().describe('Accepted for compatibility. Restricted pages are never returned.'),
  })
  .meta({ examples: [{ path: 'guides/keys' }] });

const answer = z
  .object({
    path: z.string().describe('Path of the page, without a leading slash.'),
    content: z.string().describe('The page as Markdown.'),
  })
  .meta({ examples: [{ path: 'guides/keys', content: '# Keys\n\nAssistant keys are public and belong to one site …' }] });

/** `POST /v1/page/{domain}` */
export function pageRoute(app: App, deps: CountDeps, access: DiscoveryAccess): void {
  for (const { prefix, hide } of discoveryPrefixes) {
    app.route({
      method: 'POST',
      url: `${prefix}/v1/page/:domain`,
      schema: {
        hide,
        operationId: 'readPage',
        summary: 'Read a page',
        description: 'Returns a page of a site as Markdown.',
        'x-response-headers': limitHeaders,
        tags: ['Search'],
        security: [{ assistantKey: [] }],
        params: domainParams,
        body: pageBody,
        response: { 200: answer, ...problems(400, 401, 403, 404, 413, 415, 429) },
      },
      onRequest: access.counted('search'),
      handler: async (request, reply) => {
        const page = await readPage(access.siteOf(request), request.body.path);
        if (!page) throw new DocentError('page_not_found', `The site has no page at ${request.body.path.slice(0, 200)}.`);
        countApiCall(deps, access.siteOf(request), request, { surface: 'page-api', path: page.path });
        return reply.send({ path: page.path, content: page.content });
      },
    });
  }
}
