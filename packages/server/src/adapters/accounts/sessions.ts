import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';

/** Sign-ins that replace the session which the browser had. */
const SIGN_INS: ReadonlySet<string> = new Set([
  '/sign-in/email',
  '/callback/:id',
  '/sign-in/organization',
  '/passkey/verify-authentication',
]);

/**
 * Ends the session that a browser had when somebody signs in with it again (OWASP ASVS 5.0, 7.2.4).
 */
export function endFormerSession(): BetterAuthPlugin {
  const handler = createAuthMiddleware(async ({ context, getSignedCookie }) => {
    const token = await getSignedCookie(context.authCookies.sessionToken.name, context.secret);
    // Without a session, the password was wrong, or a code is still missing. The browser has lost
    // its session in that case.
    const isSignedIn = context.newSession !== null || !(context.returned instanceof Error);
    if (token && isSignedIn && token !== context.newSession?.session.token)
      await context.internalAdapter.deleteSession(token);
  });
  return {
    id: 'former-session',
    hooks: { after: [{ matcher: ({ path }) => SIGN_INS.has(path ?? ''), handler }] },
  };
}

type SessionHooks = NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['session']>;

/**
 * Lets a session end after a number of days, and when the provider that began it says, however much
 * it is used.
 */
export function limitSessions(days: number): SessionHooks {
  const endOf = (session: { createdAt: Date; [field: string]: unknown }, expiresAt: Date) => {
    const { createdAt, endsAt } = session;
    const ends = [createdAt.getTime() + days * 24 * 3600 * 1000, expiresAt.getTime()];
    if (endsAt instanceof Date) ends.push(endsAt.getTime());
    return { data: { expiresAt: new Date(Math.min(...ends)) } };
  };
  return {
    create: { before: async (session) => endOf(session, session.expiresAt) },
    update: {
      before: async ({ expiresAt }, context) => {
        const session = context?.context.session?.session;
        if (expiresAt && session) return endOf(session, expiresAt);
      },
    },
  };
}
