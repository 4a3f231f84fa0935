import { hasRole, ROLES, type Role } from '@docent/format/access/may.ts';

export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'Viewer',
  editor: 'Editor',
  admin: 'Admin',
  owner: 'Owner',
};

/** The roles that somebody with the role `own` may give. */
export const rolesBelow = (ownRole: Role) =>
  Object.fromEntries(
    ROLES.filter((role) => hasRole(ownRole, role)).map((role) => [role, ROLE_WORDS[role]]),
  );
