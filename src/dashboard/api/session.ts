import { queryOptions } from '@tanstack/react-query';
import { send } from './client.ts';

/** Roles of members; each includes the permissions of those before it. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];
export type Plan = 'free' | 'pro' | 'enterprise';

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

/** Returns whether `role` includes the permissions of `needed`. The API decides; this only hides buttons that it would refuse. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

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
