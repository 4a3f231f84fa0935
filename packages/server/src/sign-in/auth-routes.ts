import { DocentError } from '@docent/format/errors.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { updateCountStart } from '../kernel/access/member-queries.ts';
import { requirePasswords } from '../kernel/access/require-passwords.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { requirePlatformOrigin } from '../kernel/http/browser-origins.ts';
import {
  countConfirmation,
  countingFailures,
  countPlatformTry,
  countReset,
  countTry,
} from '../kernel/operations/count-sign-ins.ts';
import * as field from '../kernel/operations/described.ts';
import { emailAddress, newPassword } from '../kernel/operations/fields.ts';
import {
  accountRequestOf,
  findSession,
  noteAccountChange,
  refuseOrganizationSession,
  requireRecentSignIn,
  setCookies,
  startSession,
} from '../kernel/operations/identify.ts';
import { openOperationsOf } from '../kernel/operations/operation.ts';
import { type AccountAnswer, SSO_PROVIDER } from '../ports/accounts.ts';
import { sendMailJob } from '../ports/jobs.ts';
import {
  type AuthOperation,
  accountOperations,
  done,
  signedIn,
  signInOperations,
  ssoProvider,
} from './auth-operations.ts';
import { changeEmailRoutes } from './change-email-routes.ts';
import { endSessionRoutes } from './end-sessions-routes.ts';
import { noteBegunSession, notingSignIn } from './note-sign-ins.ts';
import { passkeyOperations, passkeySignInOperations } from './passkey-operations.ts';
import { disconnectSingleSignOn } from './single-sign-on.ts';
import { trustedDeviceRoutes } from './trusted-device-routes.ts';

/** Registers the routes of `/v1/auth`; any other path below it returns 404. */
export function authRoutes(app: App, deps: Deps): void {
  for (const operation of [...signInOperations, ...passkeySignInOperations])
    authRoute(app, deps, operation, false);
  for (const operation of [...accountOperations, ...passkeyOperations])
    authRoute(app, deps, operation, true);
  callbackRoute(app, deps);
  disconnectSsoRoute(app, deps);
  trustedDeviceRoutes(app, deps);
  endSessionRoutes(app, deps);
  passwordResetRoutes(app, deps);
  changeEmailRoutes(app, deps);
}

/**
 * Where the identity provider redirects people; its query comes from the provider and is checked by
 * the accounts adapter.
 */
function callbackRoute(app: App, deps: Deps): void {
  const path = `/callback/${SSO_PROVIDER}`;
  app.get(
    `/v1/auth${path}`,
    { onRequest: (request) => countTry(deps, request) },
    async (request, reply) => {
      const query = new URL(request.url, deps.config.publicUrl).search;
      const done = await deps.accounts.perform({
        ...accountRequestOf(deps, request),
        method: 'GET',
        path,
        query,
      });
      setCookies(reply, done.cookies);
      await noteBegunSession(deps, request, done, 'signInWithSso');
      return reply.redirect(done.location ?? '/dashboard', 302);
    },
  );
}

function authRoute(app: App, deps: Deps, operation: AuthOperation, needsSession: boolean): void {
  const {
    method = 'POST',
    path,
    takesPassword,
    confirmsPassword,
    needsRecentSignIn,
    callbacks,
    audit,
    signsIn,
    answer = done,
    ...described
  } = operation;
  const register = openOperationsOf(app, 'Accounts');
  register({
    ...described,
    route: `${method} /v1/auth${path}`,
    security: needsSession ? [{ session: [] }] : [],
    answer,
    refusals: [400, 401, 403, 413, 415, 429],
    onRequest: async (request, reply) => {
      requirePlatformOrigin(deps.config, request);
      if (takesPassword) requirePasswords(deps.config);
      if (!needsSession) await countTry(deps, request);
      else if (path !== '/sign-out') await refuseOrganizationSession(deps, request, reply);
    },
    run: async ({ request, reply }) => {
      const sent = z
        .looseObject({
          email: z.string().optional(),
          callbackURL: z.string().optional(),
          response: z.looseObject({ id: z.string() }).optional(),
        })
        .optional()
        .parse(request.body ?? undefined);
      const find = needsRecentSignIn ? requireRecentSignIn : findSession;
      const isNeeded = audit !== undefined || confirmsPassword || needsRecentSignIn;
      const session = isNeeded ? await find(deps, request, reply) : undefined;
      if (session && audit !== undefined) noteAccountChange(request, session.user.id, audit);
      if (session && confirmsPassword) await countConfirmation(deps, session);
      const body = { ...sent, ...addressesOf(deps, callbacks, sent?.callbackURL) };
      const perform = () =>
        deps.accounts.perform({ ...accountRequestOf(deps, request), method, path, body });
      const email = sent?.email;
      const counted = () =>
        email === undefined ? perform() : countingFailures(deps, request, email, perform);
      const isSignIn = signsIn !== undefined && !session;
      const claim = { email, credentialId: sent?.response?.id };
      const done = await (isSignIn
        ? notingSignIn(deps, request, { action: signsIn, ...claim }, counted)
        : counted());
      setCookies(reply, done.cookies);
      return viewOf(done, answer);
    },
  });
}

/**
 * Where an identity provider leads back to. The accounts adapter accepts a path with a hash only as
 * a whole address.
 */
function addressesOf(
  { config }: Deps,
  callbacks: AuthOperation['callbacks'],
  callbackURL: string | undefined,
): object {
  if (!callbacks || callbackURL === undefined) return {};
  const paths = Object.entries({ callbackURL, ...callbacks(callbackURL) });
  return Object.fromEntries(paths.map(([name, path]) => [name, `${config.publicUrl}${path}`]));
}

/** The response as the API promises it; nothing else of it is returned, tokens above all. */
function viewOf({ body }: AccountAnswer, answer: z.ZodType): unknown {
  const payload =
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? { success: true, ...body }
      : (body ?? {});
  return answer.parse(payload);
}

/** `POST /v1/auth/unlink-social` */
function disconnectSsoRoute(app: App, deps: Deps): void {
  const operation = openOperationsOf(app, 'Accounts');
  operation({
    route: 'POST /v1/auth/unlink-social',
    operationId: 'disconnectSingleSignOn',
    summary: 'Disconnect an identity provider',
    description:
      'Afterwards you sign in with your password only. Your last way to sign in cannot be disconnected. Sessions stay as they are. Needs a sign-in of the last 10 minutes.',
    security: [{ session: [] }],
    onRequest: async (request) => requirePlatformOrigin(deps.config, request),
    body: z.object({ provider: ssoProvider }).meta({ examples: [{ provider: SSO_PROVIDER }] }),
    answer: done,
    refusals: [401, 403],
    run: async ({ request, reply }) => {
      const { user } = await requireRecentSignIn(deps, request, reply);
      noteAccountChange(request, user.id);
      await disconnectSingleSignOn(deps, user.id);
      return { success: true };
    },
  });
}

const passwordSet = done
  .extend(signedIn.shape)
  .meta({ id: 'PasswordSet', description: 'The password is set.', examples: [{ success: true }] });

/**
 * `POST /v1/auth/request-password-reset`, `GET /v1/auth/reset-password/:token`, `POST /v1/auth/reset-password`
 */
function passwordResetRoutes(app: App, deps: Deps): void {
  const operation = openOperationsOf(app, 'Accounts');
  const token = z.string().max(200).describe('The token of the link.');
  operation({
    route: 'GET /v1/auth/reset-password/:token',
    operationId: 'getPasswordReset',
    summary: 'Read a link to set a password',
    description: 'Returns whose password the link can set. It needs no session.',
    onRequest: (request) => countTry(deps, request),
    answer: z
      .object({ email: field.text('Email address of the account.') })
      .meta({ examples: [{ email: 'ada@acme.example' }] }),
    refusals: [403, 429],
    run: async ({ params }) => {
      const user = await deps.accounts.findPasswordReset(params.token);
      if (!user)
        throw new DocentError(
          'link_refused',
          'The link has expired or was used already; request a new one.',
        );
      return { email: user.email };
    },
  });
  const shared = {
    onRequest: (request: FastifyRequest) => countPlatformTry(deps, request),
    refusals: [403, 429],
  };
  operation({
    ...shared,
    route: 'POST /v1/auth/request-password-reset',
    operationId: 'requestPasswordReset',
    summary: 'Ask for a new password',
    description:
      'Sends a link to set a password, where the server sends mail and the address has an account. The response is always the same.',
    body: z.object({ email: emailAddress }).meta({ examples: [{ email: 'ada@acme.example' }] }),
    answer: done,
    run: async ({ body: { email } }) => {
      requirePasswords(deps.config);
      if (!deps.config.mail)
        throw new DocentError(
          'invalid_request',
          'This server sends no mail; ask its operator for a link (docent users reset).',
        );
      await countReset(deps, email);
      // Whether the address has an account is looked up later, so that neither the response nor its
      // timing reveals it.
      await deps.jobs.enqueue(sendMailJob, { kind: 'password-reset', email });
      return { success: true };
    },
  });
  operation({
    ...shared,
    route: 'POST /v1/auth/reset-password',
    operationId: 'resetPassword',
    summary: 'Set a new password',
    description:
      'Sets a password with the token of a link from a mail or from the operator, and ends all sessions. If passwords are turned off, it signs in.',
    body: z
      .object({ token, newPassword })
      .meta({ examples: [{ token: 'nNQ0PC3nC5oGQd1d', newPassword: 'another long passphrase' }] }),
    answer: passwordSet,
    run: async ({ body, request, reply }) => {
      const user = await deps.accounts.resetPassword(body.token, body.newPassword);
      noteAccountChange(request, user.id);
      await updateCountStart(deps.database.queries, user.id, deps.clock.now());
      if (deps.config.passwords) return { success: true };
      // The way in while the identity provider is unavailable: only its link leads here, so the
      // password need not be entered again.
      const begun = await startSession(deps, request, reply, {
        email: user.email,
        password: body.newPassword,
      });
      return { success: true, ...signedIn.parse(begun.body) };
    },
  });
}
