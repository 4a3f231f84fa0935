import { z } from 'zod';
import { ROLES } from '../../../core/access/may.ts';
import type { MemberRow } from '../../../db/members.ts';
import { changeRole, listMembers, removeMember } from '../../../services/accounts/members.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, noteActor, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd, paging } from '../analytics/analytics-schema.ts';

const member = z
  .object({
    userId: z.string().describe('Identifier of the person.'),
    name: z.string().describe('Their name.'),
    email: z.string().describe('Their email address.'),
    role: z.enum(ROLES).describe('What they may do in the organization.'),
    twoFactorEnabled: z.boolean().describe('Whether they need a second factor to sign in.'),
    createdAt: z.iso.datetime().describe('When they became a member.'),
  })
  .meta({
    id: 'Member',
    description: 'A member of an organization.',
    examples: [
      {
        userId: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
        name: 'Ada Lovelace',
        email: 'ada@acme.example',
        role: 'owner',
        twoFactorEnabled: true,
        createdAt: '2026-11-21T09:00:00.000Z',
      },
    ],
  });

function memberView({ createdAt, ...row }: MemberRow): z.infer<typeof member> {
  return { ...row, createdAt: createdAt.toISOString() };
}

const params = z.object({
  userId: z
    .string()
    .max(100)
    .meta({ description: 'Identifier of the person.', examples: ['01K9Z4C8M2R7X5V1B3N6P9Q0ST'] }),
});

/** Registers the routes of `/v1/organisation/members`. */
export function memberRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Organization'], security: [{ adminKey: [] }] };
  const url = '/v1/organisation/members';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'listMembers',
      summary: 'List the members',
      description: 'Lists the members of the organization in the order in which they joined.',
      querystring: z.object(paging(1000, 100)),
      response: {
        200: z.object({ items: z.array(member).describe('The members.'), ...pageEnd }),
        ...problems(400, 401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'organisation.read'),
    handler: async (request, reply) => {
      const page = await listMembers(deps, actorOf(request), request.query);
      return reply.send({ items: page.rows.map(memberView), ...endOf(page) });
    },
  });
  app.route({
    method: 'PATCH',
    url: `${url}/:userId`,
    schema: {
      ...shared,
      operationId: 'changeMember',
      summary: 'Change the role of a member',
      description: 'It needs the role `admin`. Only owners can add or remove owners; the last owner cannot be removed.',
      params,
      body: z.object({ role: z.enum(ROLES).describe('The new role.') }).meta({ examples: [{ role: 'editor' }] }),
      response: { 204: z.null().describe('The role was changed.'), ...problems(400, 401, 403, 404, 409, 413, 415) },
    },
    onRequest: requireActor(deps, 'members.write'),
    handler: async (request, reply) => {
      await changeRole(deps, actorOf(request), request.params.userId, request.body.role);
      return reply.code(204).send(null);
    },
  });
  app.route({
    method: 'DELETE',
    url: `${url}/:userId`,
    schema: {
      ...shared,
      operationId: 'removeMember',
      summary: 'Remove a member',
      description: 'Ends a membership at once; the account stays. You can leave yourself. Keys that the member created stay.',
      params,
      response: { 204: z.null().describe('The member was removed.'), ...problems(401, 403, 404, 409) },
    },
    onRequest: requireActor(deps, 'organisation.read'),
    handler: async (request, reply) => {
      const actor = actorOf(request);
      // The required role depends on the member in question, but it is always a change.
      noteActor(request, actor, 'members.write');
      await removeMember(deps, actor, request.params.userId);
      return reply.code(204).send(null);
    },
  });
}
