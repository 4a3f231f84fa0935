import { lapseTime, proofRecords } from '@docent/format/access/hostname-proof.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { cnameTargetOf, type PlatformAddress } from '../kernel/sites/site-address.ts';
import {
  addHostname,
  approveHostname,
  listHostnames,
  removeHostname,
  type SiteHostname,
  verifyHostname,
} from './manage-hostnames.ts';

const dnsRecord = field.resource(
  'DnsRecord',
  'A DNS record.',
  {
    type: field.choice(['TXT', 'CNAME'], 'Type of the record.'),
    name: field.text('Name that has the record.'),
    value: field.text('Value of the record.'),
  },
  { type: 'CNAME', name: 'docs.acme.example', value: 'acme.docs.example.net' },
);

export const hostnameSchema = field.resource(
  'Hostname',
  'A hostname of a site, and its verification.',
  {
    hostname: field.text('The hostname.'),
    status: field.choice(
      ['pending', 'verified', 'failed'],
      'Status of the hostname. `pending`: DNS is checked repeatedly for two weeks. `verified`: it serves the site. `failed`: DNS is no longer checked; check with `POST …/verify`.',
    ),
    approved: field.flag(
      'Whether the operator approved the hostname, so that it needs no verification.',
    ),
    records: field.list(dnsRecord, 'Records that verify the hostname. Set one of them.'),
    found: field.list(dnsRecord, 'Records that the last check found instead.'),
    problem: field.text.orNull(
      'Problem with the verification of the hostname; `null` if there is none.',
    ),
    lapsesAt: field.time.orNull(
      'When a verified hostname stops working unless its records are found again; `null` while they are there.',
    ),
    checkedAt: field.time.orNull('When DNS was last checked.'),
    nextCheckAt: field.time.orNull('When DNS is checked next; `null` if only on request.'),
  },
  {
    hostname: 'docs.acme.example',
    status: 'pending',
    approved: false,
    records: [
      {
        type: 'TXT',
        name: '_docent.docs.acme.example',
        value: 'docent-verification=5f0c3a9d7be14c52a1f86e2d904b7c33',
      },
      { type: 'CNAME', name: 'docs.acme.example', value: 'acme.docs.example.net' },
    ],
    found: [],
    problem: 'DNS has none of the required records. A new record can take hours to appear.',
    lapsesAt: null,
    checkedAt: '2026-11-22T09:00:00.000Z',
    nextCheckAt: '2026-11-22T09:01:00.000Z',
  },
);

export function hostnameView(
  { site, claim }: SiteHostname,
  platform: PlatformAddress,
): z.infer<typeof hostnameSchema> {
  const { hostname, token, checkAt } = claim;
  const records = proofRecords(hostname, token, cnameTargetOf(site.slug, platform));
  return { ...claim, records, lapsesAt: lapseTime(claim), nextCheckAt: checkAt };
}

const BASE = '/v1/projects/:projectId/hostnames';

/** Registers the routes of `/v1/projects/{projectId}/hostnames`. */
export function hostnameRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const view = (hostname: SiteHostname) => hostnameView(hostname, deps.config);
  operation({
    route: `GET ${BASE}`,
    operationId: 'listHostnames',
    summary: 'List hostnames of a site',
    description:
      'Lists the hostnames of a site, each with its status and the DNS records that verify it. The records of verified hostnames are checked once a day.',
    permission: 'projects.read',
    answer: listOf(hostnameSchema, 'The hostnames, by name, all on one page.', 'hostnames'),
    run: async ({ actor, params }) => {
      const rows = await listHostnames(deps, actor, params.projectId);
      return pageOf({ rows, nextCursor: null }, view, 'hostnames');
    },
  });
  operation({
    route: `POST ${BASE}`,
    operationId: 'addHostname',
    summary: 'Add a hostname to a site',
    description:
      'Adds a hostname. It serves the site once DNS has one of the `records` in the response. A hostname that the site already has stays as it is.',
    permission: 'hostnames.write',
    body: z
      .object({ hostname: z.string().max(253).describe('The hostname, without scheme and port.') })
      .meta({ examples: [{ hostname: 'docs.acme.example' }] }),
    answer: hostnameSchema,
    status: 201,
    run: async ({ actor, params, body }) =>
      view(await addHostname(deps, actor, params.projectId, body.hostname)),
  });
  operation({
    route: `POST ${BASE}/:hostname/verify`,
    operationId: 'verifyHostname',
    summary: 'Check a hostname now',
    description:
      'Checks DNS now and returns the result. A hostname that has failed becomes `pending` again.',
    permission: 'hostnames.write',
    answer: hostnameSchema,
    run: async ({ actor, params }) =>
      view(await verifyHostname(deps, actor, params.projectId, params.hostname)),
  });
  operation({
    route: `POST ${BASE}/:hostname/approve`,
    operationId: 'approveHostname',
    summary: 'Approve a hostname',
    description:
      'Approves a hostname without verification. Only for the local operator, who uses `docent hostnames approve`.',
    permission: 'hostnames.write',
    answer: hostnameSchema,
    refusals: [409],
    run: async ({ actor, params }) =>
      view(await approveHostname(deps, actor, params.projectId, params.hostname)),
  });
  operation({
    route: `DELETE ${BASE}/:hostname`,
    operationId: 'removeHostname',
    summary: 'Remove a hostname from a site',
    description:
      'Removes a hostname. It stops serving the site within seconds, and another site can claim it.',
    permission: 'hostnames.write',
    answer: z.null().describe('The hostname is removed.'),
    run: ({ actor, params }) => removeHostname(deps, actor, params.projectId, params.hostname),
  });
}
