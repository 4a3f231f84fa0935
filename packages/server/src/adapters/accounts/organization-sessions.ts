import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import * as z from 'zod';

/**
 * Starts sessions that reach one organization, for people whom its provider has signed in. Only the
 * server calls it: it believes its caller.
 */
export function organizationSessions() {
  return {
    id: 'organization-sessions',
    endpoints: {
      startOrganizationSession: createAuthEndpoint(
        '/sign-in/organization',
        {
          method: 'POST',
          body: z.object({
            userId: z.string(),
            organizationId: z.string(),
            endsAt: z.date().optional(),
          }),
          metadata: { SERVER_ONLY: true },
        },
        async (context) => {
          const { userId, ...scope } = context.body;
          const { internalAdapter } = context.context;
          const user = await internalAdapter.findUserById(userId);
          if (!user) throw new Error('The account was deleted.');
          const session = await internalAdapter.createSession(userId, false, scope);
          await setSessionCookie(context, { session, user });
          return context.json({});
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
