import { limitsFrom } from '@docent/format/access/limits.ts';
import { ROLES } from '@docent/format/access/may.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { countPlatformTry, countTry } from '../kernel/operations/count-sign-ins.ts';
import * as field from '../kernel/operations/described.ts';
import {
  emailAddress,
  listOf,
  newPassword,
  pageOf,
  paging,
  personName,
} from '../kernel/operations/fields.ts';
import { findSignedIn, noteActor, startSession } from '../kernel/operations/identify.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { openOperationsOf, operationsOf } from '../kernel/operations/operation.ts';
import { showLimit } from '../kernel/operations/rate-limits.ts';
import {
  acceptInvitation,
  invite,
  listInvitations,
  readInvitation,
  revokeInvitation,
  type ShownInvitation,
} from './manage-invitations.ts';

const shape = {
  id: field.text('Identifier of the invitation.'),
  email: field.text('Email address of the invited person.'),
  role: field.choice(ROLES, 'Their future role.'),
  createdBy: makerSchema,
  expiresAt: field.time('When the link stops working.'),
  createdAt: field.time('When it was created.'),
};
const example = {
  id: '01K9Z5D0G4H8J2K6M1N3P5Q7RT',
  email: 'grace@acme.example',
  role: 'editor',
  createdBy: makerExample,
  expiresAt: '2026-11-28T09:00:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
};
const invitation = field.resource(
  'Invitation',
  'An open invitation to an organization.',
  shape,
  example,
);
const newInvitation = field.resource(
  'NewInvitation',
  'An invitation with its link.',
  { ...shape, url: field.text('The link. It is returned only in this response.') },
  { ...example, url: 'https://docs.example.com/dashboard/invite/nNQ0PC3nC5oGQd1d' },
);

function view({ maker, ...row }: ShownInvitation): z.infer<typeof invitation> {
  return { ...row, createdBy: makerView(maker) };
}

/** Registers the routes of invitations: for those who invite, and for holders of a link. */
export function invitationRoutes(app: App, deps: Deps): void {
  managingRoutes(app, deps);
  const operation = openOperationsOf(app, 'Accounts');
  const url = '/v1/invitations/:token';
  operation({
    route: `GET ${url}`,
    operationId: 'getInvitation',
    summary: 'Read an invitation',
    description: 'Returns the invitation of a link. It needs no session.',
    onRequest: (request) => countTry(deps, request),
    answer: z
      .object({
        email: shape.email,
        role: shape.role,
        organization: field.text('Name of the organization.'),
        inviter: field.text.orNull(
          'Name of the person who invited them; `null` for a key or the operator.',
        ),
        hasAccount: field.flag(
          'Whether the address has an account, which must be signed in to accept.',
        ),
      })
      .meta({
        examples: [
          {
            email: 'grace@acme.example',
            role: 'editor',
            organization: 'Acme',
            inviter: 'Ada Lovelace',
            hasAccount: false,
          },
        ],
      }),
    refusals: [403, 429],
    run: ({ params }) => readInvitation(deps, params.token),
  });
  operation({
    route: `POST ${url}/accept`,
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Makes you a member. With an account, sign in first; without one, send a name and a password, which creates it and signs you in.',
    onRequest: (request) => countPlatformTry(deps, request),
    body: z
      .object({ name: personName.optional(), password: newPassword.optional() })
      .nullish()
      .meta({ examples: [{ name: 'Grace Hopper', password: 'a long passphrase' }] }),
    answer: z
      .object({
        organization: field.part('The organization.', { slug: field.text('Its identifier.') }),
      })
      .meta({ examples: [{ organization: { slug: 'acme' } }] }),
    refusals: [401, 403, 409, 429],
    run: async ({ params, body, request, reply }) => {
      const signedIn = await findSignedIn(deps, request, reply);
      const { name, password } = body ?? {};
      const account = name !== undefined && password !== undefined ? { name, password } : undefined;
      const { user, isNew, organizationId, slug, role } = await acceptInvitation(
        deps,
        params.token,
        signedIn,
        account,
      );
      noteActor(
        request,
        { kind: 'member', userId: user.id, sessionId: '', role, organizationId, plan: 'free' },
        'members.write',
      );
      if (isNew && account)
        await startSession(deps, request, reply, { email: user.email, password: account.password });
      return { organization: { slug } };
    },
  });
}

function managingRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Organization');
  const url = '/v1/organization/invitations';
  operation({
    route: `GET ${url}`,
    operationId: 'listInvitations',
    summary: 'List the open invitations',
    description: 'Lists invitations that are not accepted yet, newest first.',
    permission: 'organization.read',
    query: z.object(paging(1000, 100)),
    answer: listOf(invitation, 'The invitations.'),
    run: async ({ actor, query }) => pageOf(await listInvitations(deps, actor, query), view),
  });
  operation({
    route: `POST ${url}`,
    operationId: 'createInvitation',
    summary: 'Invite somebody',
    description:
      'Creates a link that lets one person join the organization within seven days. Send it to them. It needs the role `admin`; only owners can invite owners. No key can: keys give no roles. Inviting the same address again replaces the link. An organization sends a limited number of invitations a day, at most 3 of them to one address.',
    permission: 'members.write',
    body: z
      .object({ email: emailAddress, role: field.choice(ROLES, 'Their future role.') })
      .meta({ examples: [{ email: 'grace@acme.example', role: 'editor' }] }),
    answer: newInvitation,
    status: 201,
    limit: limitsFrom(deps.config.limits).invitationsPerOrganization,
    refusals: [409],
    run: async ({ actor, body, reply }) => {
      const { url, ...created } = await invite(deps, actor, body, showLimit(reply));
      return { ...view(created), url };
    },
  });
  operation({
    route: `DELETE ${url}/:invitationId`,
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'Makes the link of an invitation invalid.',
    permission: 'members.write',
    answer: z.null().describe('The link is no longer valid.'),
    run: ({ actor, params }) => revokeInvitation(deps, actor, params.invitationId),
  });
}
