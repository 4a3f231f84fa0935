import { queryOptions } from '@tanstack/react-query';
import { send } from './client.ts';

/** Roles of members, each of which may do what those before it may. */
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

/** Who is signed in, and with which organizations. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => send<Session>('GET', '/v1/session'),
  staleTime: 60_000,
});

/** Whether `role` may do what takes `needed`. The API decides; this only keeps buttons away that it would refuse. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * Leaves for an identity provider, to sign in or to connect it.
 * @param callbackURL page of the dashboard to come back to
 */
export async function openProvider(
  operation: 'sign-in/social' | 'link-social',
  provider: string,
  callbackURL: string,
): Promise<void> {
  const { url } = await send<{ url: string }>('POST', `/v1/auth/${operation}`, { provider, callbackURL });
  window.location.assign(url);
}
