import { z } from 'zod';
import { ROLES } from '../../../core/access/may.ts';
import { changeRole, listMembers, removeMember } from '../../../services/accounts/members.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { noteActor } from '../../identify.ts';
import { endOf, listOf, paging } from '../../lists.ts';
import { operationsOf } from '../../operation.ts';
import { isoTime } from '../fields.ts';

const member = z
  .object({
    userId: z.string().describe('Identifier of the person.'),
    name: z.string().describe('Their name.'),
    email: z.string().describe('Their email address.'),
    role: z.enum(ROLES).describe('What they may do in the organization.'),
    twoFactorEnabled: z.boolean().describe('Whether they need a second factor to sign in.'),
    createdAt: isoTime.describe('When they became a member.'),
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

const params = z.object({
  userId: z
    .string()
    .max(100)
    .meta({ description: 'Identifier of the person.', examples: ['01K9Z4C8M2R7X5V1B3N6P9Q0ST'] }),
});

/** Registers the routes of `/v1/organisation/members`. */
export function memberRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Organization');
  const url = '/v1/organisation/members';
  operation({
    route: `GET ${url}`,
    operationId: 'listMembers',
    summary: 'List the members',
    description: 'Lists the members of the organization in the order in which they joined.',
    permission: 'organisation.read',
    query: z.object(paging(1000, 100)),
    answer: listOf(member, 'The members.'),
    run: async ({ actor, query }) => {
      const page = await listMembers(deps, actor, query);
      return { items: page.rows, ...endOf(page) };
    },
  });
  operation({
    route: `PATCH ${url}/:userId`,
    operationId: 'changeMember',
    summary: 'Change the role of a member',
    description: 'It needs the role `admin`. Only owners can add or remove owners; the last owner cannot be removed.',
    permission: 'members.write',
    params,
    body: z.object({ role: z.enum(ROLES).describe('The new role.') }).meta({ examples: [{ role: 'editor' }] }),
    answer: z.null().describe('The role was changed.'),
    refusals: [409],
    run: ({ actor, params, body }) => changeRole(deps, actor, params.userId, body.role),
  });
  operation({
    route: `DELETE ${url}/:userId`,
    operationId: 'removeMember',
    summary: 'Remove a member',
    description: 'Ends a membership at once; the account stays. You can leave yourself. Keys that the member created stay.',
    permission: 'organisation.read',
    params,
    answer: z.null().describe('The member was removed.'),
    refusals: [409],
    run: async ({ actor, params, request }) => {
      // The required role depends on the member in question, but it is always a change.
      noteActor(request, actor, 'members.write');
      await removeMember(deps, actor, params.userId);
    },
  });
}
