import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { endMemberSessions, endUserSessions } from './end-sessions.ts';

/** `DELETE /v1/organization/members/:userId/sessions`, `DELETE /v1/users/:user/sessions` */
export function endSessionRoutes(app: App, deps: Deps): void {
  operationsOf(
    app,
    deps,
    'Organization',
  )({
    route: 'DELETE /v1/organization/members/:userId/sessions',
    operationId: 'endMemberSessions',
    summary: 'Sign a member out',
    description:
      'Ends all sessions of a member at once, for example after a device was stolen. It needs the role `owner`.',
    permission: 'owners.write',
    answer: z.null().describe('The member is signed out everywhere.'),
    run: ({ actor, params }) => endMemberSessions(deps, actor, params.userId),
  });
  operationsOf(
    app,
    deps,
    'Accounts',
  )({
    route: 'DELETE /v1/users/:user/sessions',
    operationId: 'endUserSessions',
    summary: 'Sign a person out',
    description:
      'Ends all sessions of an account at once. Only for the local operator, on the server itself: `docent users sign-out`.',
    permission: 'users.write',
    answer: z.null().describe('The person is signed out everywhere.'),
    run: ({ actor, params }) => endUserSessions(deps, actor, params.user),
  });
}
