import { z } from 'zod';
import { PLANS } from '../../../core/access/may.ts';
import type { OrganisationRow } from '../../../db/organisations.ts';
import {
  changeOrganisation,
  createOrganisation,
  deleteOrganisation,
  readOrganisation,
} from '../../../services/accounts/organisations.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { etagOf, ifMatchHeader, meetsIfMatch } from '../../etag.ts';
import { operationsOf } from '../../operation.ts';
import { isoTime, plainText } from '../fields.ts';

const plan = z.enum(PLANS);
const slug = z.string().max(63).describe('Its identifier in addresses: lower-case letters, digits and inner hyphens.');
const name = plainText(1, 100).describe('Its name.');

const organisation = z
  .object({
    id: z.string().describe('Identifier of the organization, which never changes.'),
    slug: z.string().describe('Its identifier in addresses.'),
    name: z.string().describe('Its name.'),
    plan: plan.describe('Its plan.'),
    highestPlan: plan.describe('The highest plan that an owner can choose, which the operator grants.'),
    twoFactorRequired: z.boolean().describe('Whether members who sign in with a password need an authenticator app.'),
    createdAt: isoTime.describe('When it was created.'),
    updatedAt: isoTime.describe('When it was last changed.'),
  })
  .meta({
    id: 'Organisation',
    description: 'An organization.',
    examples: [
      {
        id: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
        slug: 'acme',
        name: 'Acme',
        plan: 'enterprise',
        highestPlan: 'enterprise',
        twoFactorRequired: false,
        createdAt: '2026-11-21T09:00:00.000Z',
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
    ],
  });

/** The properties of an organization that one request can change. */
const etagOfOrganisation = ({ name, slug, plan, twoFactorRequired }: OrganisationRow) =>
  etagOf({ name, slug, plan, twoFactorRequired });

/** Registers the routes of the organization itself. */
export function organisationRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Organization');
  const url = '/v1/organisation';
  operation({
    route: `GET ${url}`,
    operationId: 'getOrganisation',
    summary: 'Get your organization',
    description: 'Returns the organization of the key or session.',
    permission: 'organisation.read',
    responseHeaders: ['ETag'],
    answer: organisation,
    run: async ({ actor, reply }) => {
      const found = await readOrganisation(deps, actor);
      reply.header('etag', etagOfOrganisation(found));
      return found;
    },
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeOrganisation',
    summary: 'Change your organization',
    description: 'Changes what the request names. It needs the role `admin`, and for the plan the role `owner`.',
    permission: 'organisation.write',
    responseHeaders: ['ETag'],
    headers: ifMatchHeader,
    body: z
      .object({
        name: name.optional(),
        slug: slug.optional(),
        twoFactorRequired: z
          .boolean()
          .optional()
          .describe('Whether members who sign in with a password need an authenticator app.'),
        plan: plan.optional().describe('At most `highestPlan`; only the operator can choose a higher one.'),
      })
      .meta({ examples: [{ name: 'Acme Inc.', twoFactorRequired: true }] }),
    answer: organisation,
    refusals: [409, 412],
    run: async ({ actor, headers, body, reply }) => {
      const isExpected = (found: OrganisationRow) => meetsIfMatch(headers['if-match'], etagOfOrganisation(found));
      const changed = await changeOrganisation(deps, actor, body, isExpected);
      reply.header('etag', etagOfOrganisation(changed));
      return changed;
    },
  });
  operation({
    route: `DELETE ${url}`,
    operationId: 'deleteOrganisation',
    summary: 'Delete your organization',
    description:
      'Deletes the organization with everything in it: sites, builds, exports, conversations, keys, members and the audit log. Accounts of people stay. It needs the role `owner`.',
    permission: 'owners.write',
    query: z.object({
      confirm: z.string().max(100).optional().describe('Identifier of the organization, as confirmation.'),
    }),
    answer: z.null().describe('The organization is deleted.'),
    run: ({ actor, query }) => deleteOrganisation(deps, actor, query.confirm),
  });
  operation({
    route: 'POST /v1/organisations',
    operationId: 'createOrganisation',
    summary: 'Create an organization',
    description: 'Creates a further organization with the plan of yours, and makes you its owner. It needs the role `owner`.',
    permission: 'owners.write',
    body: z.object({ name, slug: slug.optional() }).meta({ examples: [{ name: 'Acme Labs', slug: 'acme-labs' }] }),
    answer: organisation,
    status: 201,
    refusals: [409],
    run: ({ actor, body }) => createOrganisation(deps, actor, body),
  });
}
