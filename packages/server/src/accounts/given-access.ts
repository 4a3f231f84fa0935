import type { KeyKind } from '@docent/format/access/keys.ts';
import { hasRole, ROLES, type Role } from '@docent/format/access/may.ts';
import type { InvitationRow } from '../invitations/manage-invitations.ts';
import {
  listInvitationsBy,
  revokeInvitations,
  takeOverInvitations,
} from '../invitations/revoke-invitations.ts';
import { consequencesOf } from '../kernel/access/consequence.ts';
import type { ApiKeyRow } from '../keys/queries.ts';
import {
  type EndedAccess,
  listKeysBy,
  revokeKeyFamilies,
  takeOverKeys,
} from '../keys/revoke-keys.ts';
import type { QueryRunner } from '../ports/database.ts';
import { listStreamsBy, takeOverStreams } from '../streams/manage-streams.ts';
import { takeOverWebhooksBy } from '../webhooks-out/emit/webhook-rows.ts';

/** A member whose access ends or shrinks. */
interface Giver {
  organizationId: string;
  userId: string;
  /** Their role afterwards; `null` if they leave. */
  role: Role | null;
}

/** What a member gave to people and programs, and could not give with another role. */
export interface GivenAccess {
  keys: ApiKeyRow[];
  invitations: InvitationRow[];
  streams: Awaited<ReturnType<typeof listStreamsBy>>;
}

/** Returns the access that a member gave and that ends with a role. */
export async function listGivenAccess(
  queries: QueryRunner,
  giver: Giver,
  now: Date,
): Promise<GivenAccess> {
  const { organizationId, userId, role } = giver;
  const isAdmin = role !== null && hasRole(role, 'admin');
  const kinds: KeyKind[] = [];
  if (!isAdmin) kinds.push('admin');
  if (role === null || !hasRole(role, 'editor')) kinds.push('assistant');
  const roles = isAdmin ? ROLES.filter((candidateRole) => !hasRole(role, candidateRole)) : ROLES;
  return {
    keys: await listKeysBy(queries, { organizationId, userId, kinds }, now),
    invitations: await listInvitationsBy(queries, { organizationId, makers: [userId], roles }),
    streams: isAdmin ? [] : await listStreamsBy(queries, organizationId, userId),
  };
}

/**
 * What becomes of the access that a member gave: it ends, or somebody else takes it over. Streams
 * and webhooks are always taken over.
 */
export interface Succession {
  access: 'revoke' | 'keep';
  /** Who takes it over, as in the audit log. */
  heir: string;
}

/**
 * Ends the access that a member gave, or gives it to somebody else. Call it in the transaction that
 * ends or changes their role.
 */
export async function endGivenAccess(
  transaction: QueryRunner,
  giver: Giver,
  { access, heir }: Succession,
  now: Date,
): Promise<EndedAccess> {
  const { organizationId } = giver;
  const { keys, invitations, streams } = await listGivenAccess(transaction, giver, now);
  const streamIds = streams.map(({ id }) => id);
  await takeOverStreams(transaction, streamIds, heir);
  const isAdmin = giver.role !== null && hasRole(giver.role, 'admin');
  const webhooks = isAdmin ? [] : await takeOverWebhooksBy(transaction, giver, heir);
  const taken = [
    ...consequencesOf(
      'takeOverStream',
      organizationId,
      streams.map(({ siteId, siteName, ...stream }) => ({
        ...stream,
        site: { id: siteId, name: siteName },
      })),
    ),
    ...consequencesOf('takeOverWebhook', organizationId, webhooks),
  ];
  const keyIds = keys.map(({ id }) => id);
  if (access === 'revoke') {
    const revoked = await revokeKeyFamilies(transaction, organizationId, keyIds, now);
    const ended = await revokeInvitations(transaction, organizationId, invitations);
    return { keyIds: revoked.keyIds, consequences: [...revoked.consequences, ...ended, ...taken] };
  }
  const invitationIds = invitations.map(({ id }) => id);
  await takeOverKeys(transaction, keyIds, heir);
  await takeOverInvitations(transaction, invitationIds, heir);
  const keptKeys = keys.map(({ id, name }) => ({ id, name }));
  const people = invitations.map(({ id, email }) => ({ id, name: email }));
  const kept = [
    ...consequencesOf('takeOverKey', organizationId, keptKeys),
    ...consequencesOf('takeOverInvitation', organizationId, people),
  ];
  return { keyIds: [], consequences: [...kept, ...taken] };
}
