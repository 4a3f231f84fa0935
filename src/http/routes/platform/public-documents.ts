import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { editorSchema } from '../../../core/docs-json/json-schema.ts';
import { DocentError, type ErrorCode, errorCatalogue } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';

/** `GET /schema/docs.json`: serves the JSON Schema of docs.json, for editors. */
export function docsSchemaRoute(app: App, deps: Pick<Deps, 'config'>): void {
  let body: string | undefined;
  app.route({
    method: 'GET',
    url: '/schema/docs.json',
    schema: { hide: true },
    handler: async (_request, reply) => {
      body ??= JSON.stringify(editorSchema(`${deps.config.publicUrl}/schema/docs.json`));
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=3600')
        .type('application/schema+json')
        .send(body);
    },
  });
}

/** `GET /openapi.json`: serves the description of this API, OpenAPI 3.1. */
export function openApiRoute(app: App): void {
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: { hide: true },
    handler: async (_request, reply) => reply.header('access-control-allow-origin', '*').send(app.swagger()),
  });
}

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
