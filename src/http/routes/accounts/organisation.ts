import { z } from 'zod';
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
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { plainText } from '../plain-text.ts';

const plan = z.enum(['free', 'pro', 'enterprise']);
const slug = z.string().max(63).describe('Its identifier in addresses: lower-case letters, digits and inner hyphens.');
const name = plainText(1, 100).describe('Its name.');

const organisation = z
  .object({
    id: z.string().describe('Identifier of the organization, which never changes.'),
    slug: z.string().describe('Its identifier in addresses.'),
    name: z.string().describe('Its name.'),
    plan: plan.describe('Its plan.'),
    twoFactorRequired: z.boolean().describe('Whether members who sign in with a password need an authenticator app.'),
    createdAt: z.iso.datetime().describe('When it was created.'),
    updatedAt: z.iso.datetime().describe('When it was last changed.'),
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
        twoFactorRequired: false,
        createdAt: '2026-11-21T09:00:00.000Z',
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
    ],
  });

function organisationView({ createdAt, updatedAt, ...row }: OrganisationRow): z.infer<typeof organisation> {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** The properties of an organization that one request can change. */
const etagOfOrganisation = ({ name, slug, plan, twoFactorRequired }: OrganisationRow) =>
  etagOf({ name, slug, plan, twoFactorRequired });

/** Registers the routes of the organization itself. */
export function organisationRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Organization'], security: [{ adminKey: [] }] };
  const url = '/v1/organisation';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'getOrganisation',
      summary: 'Get your organization',
      description: 'Returns the organization of the key or session.',
      'x-response-headers': ['ETag'],
      response: { 200: organisation, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'organisation.read'),
    handler: async (request, reply) => {
      const found = await readOrganisation(deps, actorOf(request));
      return reply.header('etag', etagOfOrganisation(found)).send(organisationView(found));
    },
  });
  app.route({
    method: 'PATCH',
    url,
    schema: {
      ...shared,
      operationId: 'changeOrganisation',
      summary: 'Change your organization',
      description: 'Changes what the request names. It needs the role `admin`, and `owner` for the plan.',
      'x-response-headers': ['ETag'],
      headers: ifMatchHeader,
      body: z
        .object({
          name: name.optional(),
          slug: slug.optional(),
          twoFactorRequired: z
            .boolean()
            .optional()
            .describe('Whether members who sign in with a password need an authenticator app.'),
          plan: plan.optional().describe('Its new plan. Only owners and the operator can set it.'),
        })
        .meta({ examples: [{ name: 'Acme Inc.', twoFactorRequired: true }] }),
      response: { 200: organisation, ...problems(400, 401, 403, 404, 409, 412, 413, 415) },
    },
    onRequest: requireActor(deps, 'organisation.write'),
    handler: async (request, reply) => {
      const isExpected = (found: OrganisationRow) => meetsIfMatch(request.headers['if-match'], etagOfOrganisation(found));
      const changed = await changeOrganisation(deps, actorOf(request), request.body, isExpected);
      return reply.header('etag', etagOfOrganisation(changed)).send(organisationView(changed));
    },
  });
  app.route({
    method: 'DELETE',
    url,
    schema: {
      ...shared,
      operationId: 'deleteOrganisation',
      summary: 'Delete your organization',
      description:
        'Deletes the organization with everything in it: sites, builds, exports, conversations, keys, members and the audit log. Accounts of people stay. It needs the role `owner`.',
      querystring: z.object({
        confirm: z.string().max(100).optional().describe('Identifier of the organization, as confirmation.'),
      }),
      response: { 204: z.null().describe('The organization is deleted.'), ...problems(400, 401, 403, 404) },
    },
    onRequest: requireActor(deps, 'owners.write'),
    handler: async (request, reply) => {
      await deleteOrganisation(deps, actorOf(request), request.query.confirm);
      return reply.code(204).send(null);
    },
  });
  app.route({
    method: 'POST',
    url: '/v1/organisations',
    schema: {
      ...shared,
      operationId: 'createOrganisation',
      summary: 'Create an organization',
      description: 'Creates a further organization with the plan of yours, and makes you its owner. It needs the role `owner`.',
      body: z.object({ name, slug: slug.optional() }).meta({ examples: [{ name: 'Acme Labs', slug: 'acme-labs' }] }),
      response: { 201: organisation, ...problems(400, 401, 403, 404, 409, 413, 415) },
    },
    onRequest: requireActor(deps, 'owners.write'),
    handler: async (request, reply) =>
      reply.code(201).send(organisationView(await createOrganisation(deps, actorOf(request), request.body))),
  });
}
