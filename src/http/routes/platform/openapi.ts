import type { App } from '../../app-types.ts';

/** `GET /openapi.json`: serves the description of this API, OpenAPI 3.1. */
export function openApiRoute(app: App): void {
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: { hide: true },
    handler: async (_request, reply) => reply.header('access-control-allow-origin', '*').send(app.swagger()),
  });
}
