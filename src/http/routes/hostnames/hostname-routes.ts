import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import {
  addHostname,
  approveHostname,
  listHostnames,
  removeHostname,
  verifyHostname,
} from '../../../services/hostnames/manage-hostnames.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd } from '../analytics/analytics-schema.ts';
import { projectParams } from '../projects/project-params.ts';
import { hostnameSchema, hostnameView } from './hostname-schema.ts';

const BASE = '/v1/projects/:projectId/hostnames';
const shared = { tags: ['Projects'], security: [{ adminKey: [] }] };
const hostnameParams = projectParams.extend({
  hostname: z.string().meta({ description: 'Hostname of the site.', examples: ['docs.acme.example'] }),
});

/** Registers the routes of `/v1/projects/{projectId}/hostnames`. */
export function hostnameRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: BASE,
    schema: {
      ...shared,
      operationId: 'listHostnames',
      summary: 'List hostnames of a site',
      description: 'Lists the hostnames of a site, each with its status and the DNS records that verify it.',
      params: projectParams,
      response: {
        200: z.object({
          items: z.array(hostnameSchema).describe('The hostnames, by name, all on one page.'),
          hostnames: z.array(hostnameSchema).describe('The same as `items`, for older clients.'),
          ...pageEnd,
        }),
        ...problems(401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => {
      const found = await listHostnames(deps, actorOf(request), request.params.projectId);
      const items = found.map((one) => hostnameView(one, deps.config));
      return reply.send({ items, hostnames: items, ...endOf({ nextCursor: null }) });
    },
  });
  app.route({
    method: 'POST',
    url: BASE,
    schema: {
      ...shared,
      operationId: 'addHostname',
      summary: 'Add a hostname to a site',
      description:
        'Adds a hostname. It serves the site once DNS has one of the `records` in the response. A hostname that the site already has stays as it is.',
      params: projectParams,
      body: z
        .object({ hostname: z.string().max(253).describe('The hostname, without scheme and port.') })
        .meta({ examples: [{ hostname: 'docs.acme.example' }] }),
      response: { 201: hostnameSchema, ...problems(400, 401, 403, 404, 413, 415) },
    },
    onRequest: requireActor(deps, 'hostnames.write'),
    handler: async (request, reply) => {
      const added = await addHostname(deps, actorOf(request), request.params.projectId, request.body.hostname);
      return reply.code(201).send(hostnameView(added, deps.config));
    },
  });
  for (const { path, operationId, summary, description, run, refusals } of [
    {
      path: 'verify',
      operationId: 'verifyHostname',
      summary: 'Check a hostname now',
      description: 'Checks DNS now and returns the result. A hostname that has failed becomes `pending` again.',
      run: verifyHostname,
      refusals: problems(401, 403, 404),
    },
    {
      path: 'approve',
      operationId: 'approveHostname',
      summary: 'Approve a hostname',
      description: 'Approves a hostname without verification. Only for the local operator, who uses `docent hostnames approve`.',
      run: approveHostname,
      refusals: problems(401, 403, 404, 409),
    },
  ]) {
    app.route({
      method: 'POST',
      url: `${BASE}/:hostname/${path}`,
      schema: {
        ...shared,
        operationId,
        summary,
        description,
        params: hostnameParams,
        response: { 200: hostnameSchema, ...refusals },
      },
      onRequest: requireActor(deps, 'hostnames.write'),
      handler: async (request, reply) => {
        const { projectId, hostname } = request.params;
        return reply.send(hostnameView(await run(deps, actorOf(request), projectId, hostname), deps.config));
      },
    });
  }
  app.route({
    method: 'DELETE',
    url: `${BASE}/:hostname`,
    schema: {
      ...shared,
      operationId: 'removeHostname',
      summary: 'Remove a hostname from a site',
      description: 'Removes a hostname. It stops serving the site within seconds, and another site can claim it.',
      params: hostnameParams,
      response: { 204: z.null().describe('The hostname is removed.'), ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'hostnames.write'),
    handler: async (request, reply) => {
      const { projectId, hostname } = request.params;
      await removeHostname(deps, actorOf(request), projectId, hostname);
      return reply.code(204).send(null);
    },
  });
}
