import * as z from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import type { App } from '../../kernel/http/base-app.ts';
import * as field from '../../kernel/operations/described.ts';
import { listOf, pageOf, paging } from '../../kernel/operations/fields.ts';
import { operationsOf } from '../../kernel/operations/operation.ts';
import {
  inviteSiteReader,
  listSiteReaders,
  removeSiteReader,
} from '../access/manage-site-readers.ts';
import { readerGroups } from './method-schemas.ts';

const ROUTE = '/v1/projects/:projectId/readers';

const address = z
  .union([
    z.email(),
    z
      .string()
      .regex(/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/i, 'must be an email address or a domain'),
  ])
  .refine((text) => text.length <= 254, 'must have at most 254 characters')
  .describe('An email address, or a domain for all of its email addresses.');
const groups = readerGroups.describe(
  'Groups that readers with this address have, and members of the organization too.',
);

const example = {
  id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
  address: 'ada@acme.example',
  groups: ['partners'],
  createdAt: '2026-11-20T09:00:00.000Z',
};

const siteReader = field.resource(
  'SiteReader',
  'A reader whom a site names, or a domain of readers.',
  {
    id: field.text('Identifier of the entry.'),
    address: field.text('The email address, or the domain, in lower case.'),
    groups,
    createdAt: field.time('When it was added.'),
  },
  example,
);
/** Registers the routes of `/v1/projects/{projectId}/readers`. */
export function siteReaderRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Readers');
  operation({
    route: `GET ${ROUTE}`,
    operationId: 'listReaders',
    summary: 'List the readers whom a site names',
    description:
      'Returns the email addresses and domains that a site names, with their groups, the newest first.',
    permission: 'access.write',
    query: z.object(paging(100, 50)),
    answer: listOf(siteReader, 'The readers and domains.').meta({
      examples: [{ items: [example], nextCursor: null, hasMore: false }],
    }),
    run: async ({ actor, params, query }) =>
      pageOf(await listSiteReaders(deps, actor, params.projectId, query), withGroups),
  });
  operation({
    route: `POST ${ROUTE}`,
    operationId: 'inviteReader',
    summary: 'Invite a reader',
    description:
      'Names an email address or a domain, with groups; an entry of the same address gets these groups. Where readers sign in with links by mail, they can now, and a new address gets a mail with the address of the site.',
    permission: 'access.write',
    body: z
      .strictObject({ address, groups: groups.default([]) })
      .meta({ examples: [{ address: 'ada@acme.example', groups: ['partners'] }] }),
    answer: siteReader,
    status: 201,
    run: async ({ actor, params, body }) =>
      withGroups(await inviteSiteReader(deps, actor, params.projectId, body)),
  });
  operation({
    route: `DELETE ${ROUTE}/:readerId`,
    operationId: 'removeReader',
    summary: 'Remove a reader',
    description:
      'Removes an email address or a domain with its groups; sessions of readers whom the site no longer names end.',
    permission: 'access.write',
    answer: z.null().describe('The entry is removed.'),
    run: ({ actor, params }) => removeSiteReader(deps, actor, params.projectId, params.readerId),
  });
}

function withGroups<Entry extends { groups: readonly string[] }>(entry: Entry) {
  return { ...entry, groups: [...entry.groups] };
}
