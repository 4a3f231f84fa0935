import type { FastifyInstance, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the OpenAPI document of all routes. */
    describeRoutes(): Promise<object>;
  }
}

/**
 * Makes an application able to describe the routes that are added from now on. What writes the
 * document is ninety modules, and few processes need it, so it is loaded with the first request for
 * the document.
 * @param publicUrl server address in the document
 */
export function describeRoutes(app: FastifyInstance, publicUrl: string): void {
  const routes: RouteOptions[] = [];
  let document: Promise<object> | undefined;
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.decorate('describeRoutes', () => {
    document ??= writeDocument(app, routes, publicUrl);
    return document;
  });
}

type Hook = (argument: unknown) => void;

/** Lets the plugin see the routes of an application that is complete, as if they were added now. */
async function writeDocument(
  app: FastifyInstance,
  routes: readonly RouteOptions[],
  publicUrl: string,
): Promise<object> {
  const [{ default: swagger }, { openApiOptions }] = await Promise.all([
    import('@fastify/swagger'),
    import('./document-options.ts'),
  ]);
  const hooks = new Map<string, Hook>();
  let write = (): object => ({});
  const recorder = {
    addHook: (name: string, hook: Hook) => void hooks.set(name, hook),
    decorate: (_name: string, decoration: typeof write) => {
      write = decoration;
    },
    getSchemas: () => app.getSchemas(),
  };
  const ignore = () => {};
  swagger(recorder as unknown as FastifyInstance, openApiOptions(publicUrl), ignore);
  for (const route of routes) hooks.get('onRoute')?.(route);
  hooks.get('onReady')?.(ignore);
  return write();
}
