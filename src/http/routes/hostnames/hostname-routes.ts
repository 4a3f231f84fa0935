import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import {
  addHostname,
  approveHostname,
  listHostnames,
  removeHostname,
  type SiteHostname,
  verifyHostname,
} from '../../../services/hostnames/manage-hostnames.ts';
import type { App } from '../../app-types.ts';
import { endOf, listOf } from '../../lists.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams } from '../projects/project-schema.ts';
import { hostnameSchema, hostnameView } from './hostname-schema.ts';

const BASE = '/v1/projects/:projectId/hostnames';
const hostnameParams = projectParams.extend({
  hostname: z.string().meta({ description: 'Hostname of the site.', examples: ['docs.acme.example'] }),
});

/** Registers the routes of `/v1/projects/{projectId}/hostnames`. */
export function hostnameRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const view = (hostname: SiteHostname) => hostnameView(hostname, deps.config);
  operation({
    route: `GET ${BASE}`,
    operationId: 'listHostnames',
    summary: 'List hostnames of a site',
    description: 'Lists the hostnames of a site, each with its status and the DNS records that verify it.',
    permission: 'projects.read',
    params: projectParams,
    answer: listOf(hostnameSchema, 'The hostnames, by name, all on one page.', 'hostnames'),
    run: async ({ actor, params }) => {
      const found = await listHostnames(deps, actor, params.projectId);
      const items = found.map(view);
      return { items, hostnames: items, ...endOf({ nextCursor: null }) };
    },
  });
  operation({
    route: `POST ${BASE}`,
    operationId: 'addHostname',
    summary: 'Add a hostname to a site',
    description:
      'Adds a hostname. It serves the site once DNS has one of the `records` in the response. A hostname that the site already has stays as it is.',
    permission: 'hostnames.write',
    params: projectParams,
    body: z
      .object({ hostname: z.string().max(253).describe('The hostname, without scheme and port.') })
      .meta({ examples: [{ hostname: 'docs.acme.example' }] }),
    answer: hostnameSchema,
    status: 201,
    run: async ({ actor, params, body }) => view(await addHostname(deps, actor, params.projectId, body.hostname)),
  });
  operation({
    route: `POST ${BASE}/:hostname/verify`,
    operationId: 'verifyHostname',
    summary: 'Check a hostname now',
    description: 'Checks DNS now and returns the result. A hostname that has failed becomes `pending` again.',
    permission: 'hostnames.write',
    params: hostnameParams,
    answer: hostnameSchema,
    run: async ({ actor, params }) => view(await verifyHostname(deps, actor, params.projectId, params.hostname)),
  });
  operation({
    route: `POST ${BASE}/:hostname/approve`,
    operationId: 'approveHostname',
    summary: 'Approve a hostname',
    description: 'Approves a hostname without verification. Only for the local operator, who uses `docent hostnames approve`.',
    permission: 'hostnames.write',
    params: hostnameParams,
    answer: hostnameSchema,
    refusals: [409],
    run: async ({ actor, params }) => view(await approveHostname(deps, actor, params.projectId, params.hostname)),
  });
  operation({
    route: `DELETE ${BASE}/:hostname`,
    operationId: 'removeHostname',
    summary: 'Remove a hostname from a site',
    description: 'Removes a hostname. It stops serving the site within seconds, and another site can claim it.',
    permission: 'hostnames.write',
    params: hostnameParams,
    answer: z.null().describe('The hostname is removed.'),
    run: ({ actor, params }) => removeHostname(deps, actor, params.projectId, params.hostname),
  });
}
