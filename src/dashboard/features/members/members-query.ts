import { queryOptions } from '@tanstack/react-query';
import type { Role } from '../../../core/access/may.ts';
import { send } from '../../api/client.ts';

export interface Member {
  userId: string;
  name: string;
  email: string;
  role: Role;
  twoFactorEnabled: boolean;
  createdAt: string;
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  expiresAt: string;
}

export const ROLE_WORDS: Record<Role, string> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin', owner: 'Owner' };

/** The members of an organization, or its open invitations. */
export function listQuery<Item>(org: string, name: 'members' | 'invitations') {
  return queryOptions({
    queryKey: [org, name],
    queryFn: async () => (await send<{ items: Item[] }>('GET', `/v1/organisation/${name}?limit=1000`)).items,
  });
}
