import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { requirePlatformOrigin } from '../kernel/http/browser-origins.ts';
import { countPlatformTry } from '../kernel/operations/count-sign-ins.ts';
import * as field from '../kernel/operations/described.ts';
import { emailAddress } from '../kernel/operations/fields.ts';
import {
  noteAccountChange,
  requireRecentSignIn,
  setCookies,
} from '../kernel/operations/identify.ts';
import { openOperationsOf } from '../kernel/operations/operation.ts';
import { done } from './auth-operations.ts';
import { confirmEmailChange, requestEmailChange } from './change-email.ts';

/** `POST /v1/auth/change-email`, `POST /v1/auth/confirm-email` */
export function changeEmailRoutes(app: App, deps: Deps): void {
  const operation = openOperationsOf(app, 'Accounts');
  operation({
    route: 'POST /v1/auth/change-email',
    operationId: 'requestEmailChange',
    summary: 'Change your email address',
    description:
      'Sends a link to the new address, and a notice to the present one. You sign in with the new address once the link was opened, within an hour. Needs a sign-in of the last 10 minutes, and a server that sends mail.',
    security: [{ session: [] }],
    onRequest: async (request) => requirePlatformOrigin(deps.config, request),
    body: z.object({ email: emailAddress }).meta({ examples: [{ email: 'ada@new.example' }] }),
    answer: done,
    refusals: [401, 403, 429],
    run: async ({ body, request, reply }) => {
      const { user } = await requireRecentSignIn(deps, request, reply);
      noteAccountChange(request, user.id);
      await requestEmailChange(deps, user.id, body.email);
      return { success: true };
    },
  });
  operation({
    route: 'POST /v1/auth/confirm-email',
    operationId: 'confirmEmailChange',
    summary: 'Confirm a new email address',
    description:
      'Changes the address of an account with the token of the link that was sent to the new one. It needs no session. Sessions stay; links to set a password that were sent to the former address are void.',
    onRequest: (request) => countPlatformTry(deps, request),
    body: z
      .object({ token: z.string().max(1000).describe('The token of the link.') })
      .meta({ examples: [{ token: 'YWRhQG5ldy5leGFtcGxl.nNQ0PC3nC5oGQd1d' }] }),
    answer: z
      .object({ email: field.text('Email address of the account from now on.') })
      .meta({ examples: [{ email: 'ada@new.example' }] }),
    refusals: [403, 409, 429],
    run: async ({ body, request, reply }) => {
      const { user, cookies } = await confirmEmailChange(deps, body.token);
      noteAccountChange(request, user.id);
      setCookies(reply, cookies);
      return { email: user.email };
    },
  });
}
