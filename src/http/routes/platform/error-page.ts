import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { DocentError, type ErrorCode, errorCatalogue } from '../../../core/errors.ts';
import type { App } from '../../app-types.ts';

const CACHE = 'public, max-age=3600';

/** `GET /errors/{code}`: serves the target of a problem's `type`, a page of our documentation as Markdown. */
export function errorPageRoute(app: App): void {
  app.route({
    method: 'GET',
    url: '/errors/:code',
    schema: { hide: true, params: z.object({ code: z.string() }) },
    handler: async (request, reply) => {
      const { code } = request.params;
      if (!Object.hasOwn(errorCatalogue, code)) throw new DocentError('route_not_found', 'There is no error with that name.');
      const text = await explain(code as ErrorCode);
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', CACHE)
        .type('text/plain; charset=utf-8')
        .send(text);
    },
  });
}

async function explain(code: ErrorCode): Promise<string> {
  const page = await readFile(new URL(`../../../../docs/errors/${code}.mdx`, import.meta.url), 'utf8').catch(() => '');
  const text = page.replace(/^---\n.*?\n---\n/s, '').replace(/^<Badge.*<\/Badge>$/gm, '');
  return `# ${errorCatalogue[code].title}\n\nCode: ${code}\n\n${text.trim()}`.trim().concat('\n');
}
