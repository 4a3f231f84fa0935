import { editorSchema } from '../../../core/docs-json/json-schema.ts';
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
