import type { FastifyInstance } from 'fastify';

/** Returns the methods that a path accepts. */
export type MethodsOf = (path: string) => string[];

/** Converts `/v1/keys/:keyId` to a regular expression for paths; `*` matches the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}

/** Records the routes that are added from now on. */
export function watchMethods(app: FastifyInstance): MethodsOf {
  const methodsByUrl = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsByUrl.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    methodsByUrl.set(url, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  });
  return (path) => {
    const found = [...methodsByUrl.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}
