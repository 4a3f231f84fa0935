import type { SiteAccess } from '../ports/live-sites.ts';

/** Who may read a preview. */
interface Protection {
  passwordHash: string | null;
  membersOnly: boolean;
}

/** In place of the hash of a password that nobody knows. */
const NO_PASSWORD = 'members of the organization';

/**
 * Returns who may read a preview: one of a private site that has no password is for members, who
 * are asked at the platform.
 */
export function protectionOf(
  { access }: { access: SiteAccess },
  { passwordHash, membersOnly }: Protection,
): Protection {
  if (access.isPrivate && passwordHash === null)
    return { passwordHash: NO_PASSWORD, membersOnly: true };
  return { passwordHash, membersOnly };
}
