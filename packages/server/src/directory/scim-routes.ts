import { formatIp } from '@docent/format/access/ip.ts';
import { HOUR_SECONDS, type NamedLimit, pastLimit } from '@docent/format/access/limits.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import { statusOf, toDocentError } from '../kernel/http/problem.ts';
import { hashSecret } from '../kernel/ids.ts';
import { DIRECTORY_TOKEN } from './manage-directory.ts';
import { findDirectoryByToken, saveDirectory } from './queries.ts';
import { type Kind, readPatch, readResource } from './scim-forms.ts';
import type { ScimContext } from './scim-resources.ts';

export const SCIM_PATH = '/scim/v2';

const REQUESTS: NamedLimit = {
  name: 'directory-requests',
  points: 100_000,
  windowSeconds: HOUR_SECONDS,
  whose: 'An organization',
  does: 'send',
  things: 'requests of SCIM',
};
/** Precision of the time when a token was last used. */
const USED_MS = 60_000;

const listQuery = z.object({
  filter: z.string().max(1000).optional(),
  startIndex: z.coerce.number().int().max(1_000_000).default(1),
  count: z.coerce.number().int().max(1_000_000).default(100),
  attributes: z.string().max(1000).optional(),
  excludedAttributes: z.string().max(1000).optional(),
  sortBy: z.string().max(100).optional(),
  sortOrder: z.string().max(20).optional(),
});
const MAX_ROWS = 200;

/** The library is loaded by the first request of a directory. */
const library = () => import('./scim-resources.ts');

/**
 * Registers SCIM 2.0 (RFC 7643, RFC 7644): the directory of an organization sends its people and
 * groups, with a token that reaches nothing else.
 */
export function scimRoutes(app: App, deps: Deps): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/scim+json',
      { parseAs: 'string' },
      (request, body: string, done) => {
        if (body === '') done(null, undefined);
        else scope.getDefaultJsonParser('error', 'error')(request, body, done);
      },
    );
    const contexts = new WeakMap<FastifyRequest, ScimContext>();
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      contexts.set(request, await contextOf(deps, request));
    });
    scope.setErrorHandler((error, request, reply) =>
      sendError(deps, contexts.get(request)?.fault ?? error, reply),
    );
    const contextFor = (request: FastifyRequest) => contexts.get(request) as ScimContext;
    for (const kind of ['Users', 'Groups'] as const) resourceRoutes(scope as App, kind, contextFor);
    for (const name of ['ServiceProviderConfig', 'Schemas', 'ResourceTypes'] as const)
      scope.get<{ Params: { id?: string } }>(
        `${SCIM_PATH}/${name}/:id?`,
        { schema: { hide: true } },
        async ({ params }, reply) => {
          const { descriptions } = await library();
          return send(reply, 200, await new descriptions[name](params.id).read());
        },
      );
    scope.all(`${SCIM_PATH}/*`, { schema: { hide: true } }, async (_, reply) => {
      const { scimError } = await library();
      return send(reply, 404, scimError(404, undefined, 'There is no such resource here.'));
    });
  });
}

function resourceRoutes(
  scope: App,
  kind: Kind,
  contextOf: (request: FastifyRequest) => ScimContext,
): void {
  const url = `${SCIM_PATH}/${kind}`;
  const options = { schema: { hide: true } };
  const idOf = ({ params }: FastifyRequest) => (params as { id?: string }).id;
  const resourceOf = async (request: FastifyRequest) => {
    const { count, ...query } = listQuery.parse(request.query);
    const { resources } = await library();
    const page = { ...query, count: Math.min(count, MAX_ROWS) };
    return new resources[kind](idOf(request), page as object);
  };
  const read = async (request: FastifyRequest, reply: FastifyReply) =>
    send(reply, 200, await (await resourceOf(request)).read(contextOf(request)));
  scope.get(url, options, read);
  scope.get(`${url}/:id`, options, read);
  scope.post(url, options, async (request, reply) => {
    const body = readResource(kind, request.body);
    return send(reply, 201, await (await resourceOf(request)).write(body, contextOf(request)));
  });
  scope.put(`${url}/:id`, options, async (request, reply) => {
    const body = readResource(kind, request.body);
    return send(reply, 200, await (await resourceOf(request)).write(body, contextOf(request)));
  });
  scope.patch(`${url}/:id`, options, async (request, reply) => {
    const patch = readPatch(kind, request.body);
    const resource = await resourceOf(request);
    if (patch.Operations.length > 0)
      await resource.patch(patch as Parameters<typeof resource.patch>[0], contextOf(request));
    return read(request, reply);
  });
  scope.delete(`${url}/:id`, options, async (request, reply) => {
    await (await resourceOf(request)).dispose(contextOf(request));
    return reply.code(204).send();
  });
}

/** @throws DocentError `unauthenticated`, `rate_limited` */
async function contextOf(deps: Deps, request: FastifyRequest): Promise<ScimContext> {
  const { database, clock, limiter } = deps;
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const directory = DIRECTORY_TOKEN.test(token)
    ? await findDirectoryByToken(database.queries, hashSecret(token))
    : undefined;
  if (!directory)
    throw new DocentError(
      'unauthenticated',
      'Send the token of the directory in the header "Authorization: Bearer scim_…"; an owner creates it.',
    );
  const { organizationId, plan, tokenUsedAt } = directory;
  const { allowed, resetSeconds } = await limiter.consume(REQUESTS, organizationId);
  if (!allowed) throw pastLimit(REQUESTS, resetSeconds);
  const now = clock.now();
  if (!tokenUsedAt || now.getTime() - tokenUsedAt.getTime() > USED_MS)
    await saveDirectory(database.queries, organizationId, { tokenUsedAt: now, updatedAt: now });
  const client = clientOf(deps, request);
  const actor = { kind: 'directory', organizationId, plan } as const;
  return { deps, sender: { actor, address: client ? formatIp(client) : null } };
}

async function sendError(deps: Deps, cause: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const { readScimError, scimError } = await library();
  const fault = readScimError(cause);
  if (fault)
    return send(reply, fault.status, scimError(fault.status, fault.scimType, fault.detail));
  if (cause instanceof z.ZodError)
    return send(reply, 400, scimError(400, 'invalidSyntax', z.prettifyError(cause)));
  const error = toDocentError(cause, reply.request.routeOptions.bodyLimit);
  const status = statusOf(error);
  if (status === 500)
    deps.logger.error({ fault: String(cause) }, 'a request of a directory failed');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  return send(reply, status, scimError(status, undefined, error.message));
}

function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).type('application/scim+json').send(JSON.stringify(body));
}
