import { allowsIp, formatIp, type IpAddress } from '@docent/format/access/ip.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../deps.ts';
import { findSessionMembership, isSessionKept } from './member-queries.ts';

/**
 * Returns the member that a session acts as in an organization.
 * @param organization its id or identifier; defaults to the person's first one
 * @param ip address of the client, if it is known
 * @param onKnown called with the member before checking whether they may come in like this
 * @throws DocentError `unauthenticated` if the session was revoked, `organization_not_found`,
 *   `ip_not_allowed`, `two_factor_required`, `single_sign_on_required`
 */
export async function findMember(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  { sessionId, userId, ip }: { sessionId: string; userId: string; ip: IpAddress | undefined },
  organization: string | undefined,
  onKnown: (actor: Actor) => void,
): Promise<Actor> {
  const membership = await findSessionMembership(
    database.queries,
    { sessionId, userId },
    organization,
  );
  if (!membership) {
    if (!(await isSessionKept(database.queries, sessionId)))
      throw new DocentError('unauthenticated', 'The session has ended; sign in again.');
    throw new DocentError(
      'organization_not_found',
      organization === undefined
        ? 'You are not a member of any organization; ask an admin for an invitation.'
        : 'You are not a member of the organization in Docent-Organization; GET /v1/session lists yours.',
    );
  }
  const { organizationId, plan, role } = membership;
  const actor: Actor = { kind: 'member', userId, sessionId, role, organizationId, plan };
  onKnown(actor);
  if (!allowsIp(membership.allowedAddresses ?? [], ip))
    throw new DocentError(
      'ip_not_allowed',
      `The organization lets members in from some addresses only, and not from ${ip ? formatIp(ip) : 'yours'}. Use its network, or ask an owner.`,
    );
  if (membership.isOfProvider) return actor;
  if (membership.providerRequired && role !== 'owner')
    throw new DocentError(
      'single_sign_on_required',
      `The organization requires its identity provider; sign in at ${config.publicUrl}/v1/sign-in/${membership.slug}.`,
    );
  // Without the provider, owners come in with their account: never with a password alone.
  const needsSecondFactor =
    membership.providerRequired ||
    (membership.twoFactorRequired && config.passwords && membership.hasPassword);
  if (needsSecondFactor && !membership.twoFactorEnabled)
    throw new DocentError(
      'two_factor_required',
      'The organization requires two-factor authentication; turn it on in your account.',
    );
  return actor;
}
