import type { Actor } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { findSessionMembership, isSessionKept } from '../../db/members.ts';
import type { Deps } from '../deps.ts';

export interface PersonSession {
  sessionId: string;
  userId: string;
}

/**
 * Returns the member that a session acts as in an organization.
 * @param organization its id or identifier; defaults to the person's first one
 * @param onKnown called with the member before checking whether they need a second factor
 * @throws DocentError `unauthenticated` if the session was revoked, `organisation_not_found`, `two_factor_required`
 */
export async function findMember(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  { sessionId, userId }: PersonSession,
  organisation: string | undefined,
  onKnown: (actor: Actor) => void,
): Promise<Actor> {
  const found = await findSessionMembership(database.queries, { sessionId, userId }, organisation);
  if (!found) {
    if (!(await isSessionKept(database.queries, sessionId)))
      throw new DocentError('unauthenticated', 'The session has ended; sign in again.');
    throw new DocentError(
      'organisation_not_found',
      organisation === undefined
        ? 'You are not a member of any organization; ask an admin for an invitation.'
        : 'You are not a member of the organization in Docent-Organisation; GET /v1/session lists yours.',
    );
  }
  const { organisationId, plan, role } = found;
  const actor: Actor = { kind: 'member', userId, sessionId, role, organisationId, plan };
  onKnown(actor);
  if (found.twoFactorRequired && config.passwords && found.hasPassword && !found.twoFactorEnabled)
    throw new DocentError(
      'two_factor_required',
      'The organization requires two-factor authentication; turn it on in your account.',
    );
  return actor;
}
