import { queryOptions } from '@tanstack/react-query';
import type { Plan, Role } from '../../core/access/may.ts';
import { send } from './client.ts';

export interface Organisation {
  id: string;
  slug: string;
  name: string;
  role: Role;
  plan: Plan;
}

export interface Session {
  setupRequired: boolean;
  user: null | { id: string; name: string; email: string; twoFactorEnabled: boolean; hasPassword: boolean; hasSso: boolean };
  organisations: Organisation[];
  signIn: { password: boolean; sso: { id: string; name: string }[] };
  mail: boolean;
  version: string;
}

/** The signed-in user and their organizations. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => send<Session>('GET', '/v1/session'),
  staleTime: 60_000,
});

/**
 * Navigates to an identity provider, to sign in or to connect it.
 * @param callbackURL page of the dashboard to return to
 */
export async function openProvider(
  operation: 'sign-in/social' | 'link-social',
  provider: string,
  callbackURL: string,
): Promise<void> {
  const { url } = await send<{ url: string }>('POST', `/v1/auth/${operation}`, { provider, callbackURL });
  window.location.assign(url);
}
