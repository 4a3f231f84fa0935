import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import { readPage } from '../../../services/read-page.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { discoveryHooks, discoveryPrefixes, domainParams } from './discovery-operation.ts';

/** Which page is asked for. */
export const pageBody = z.object({
  path: z.string().min(1).max(2000).describe('`guides/start`; also with a leading slash, an anchor, or as a whole address.'),
  groups: z.array(z.string()).max(100).optional(),
});

const answer = z.object({ path: z.string(), content: z.string().describe('The page as Markdown.') });

/** `POST /v1/page/{domain}` */
export function pageRoute(app: App, deps: Deps): void {
  for (const { prefix, hide } of discoveryPrefixes) {
    const { onRequest, siteOf } = discoveryHooks(deps);
    app.route({
      method: 'POST',
      url: `${prefix}/v1/page/:domain`,
      schema: {
        hide,
        operationId: 'readPage',
        summary: 'Read a page of a site',
        tags: ['Search'],
        security: [{ assistantKey: [] }],
        params: domainParams,
        body: pageBody,
        response: { 200: answer, ...problems(400, 401, 403, 404, 413, 415, 429) },
      },
      onRequest,
      handler: async (request, reply) => {
        const page = await readPage(siteOf(request), request.body.path);
        if (!page) throw new DocentError('page_not_found', `The site has no page at ${request.body.path.slice(0, 200)}.`);
        return reply.send({ path: page.path, content: page.content });
      },
    });
  }
}
