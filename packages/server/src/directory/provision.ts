import { randomBytes } from 'node:crypto';
import { type Actor, actorId, hasRole, type Role } from '@docent/format/access/may.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { sql } from 'kysely';
import { changeRole, removeMember } from '../accounts/members.ts';
import { recordAudit, recordConsequences } from '../audit/audit-log.ts';
import {
  deleteInvitation,
  listInvitationsOf,
  replaceInvitation,
} from '../invitations/manage-invitations.ts';
import type { Consequence } from '../kernel/access/consequence.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, hashSecret } from '../kernel/ids.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { DirectoryRole } from '../ports/people/directory-tables.ts';
import { findDirectory } from './manage-directory.ts';
import {
  changeGroupPeople,
  type Directory,
  deleteGroup,
  deletePerson,
  type Group,
  insertPerson,
  listGroupsOf,
  listPeople,
  type Person,
  saveGroup,
  updatePerson,
} from './queries.ts';

export type ProvisionDeps = Pick<
  Deps,
  'database' | 'clock' | 'keyCache' | 'limiter' | 'logger' | 'config'
>;

/** Who sends people: the directory of an organization, and the address that it sends from. */
export interface Sender {
  actor: Extract<Actor, { kind: 'directory' }>;
  address: string | null;
}

/** The directory, not a time, ends what it has announced. */
const INVITATION_DAYS = 3650;

/**
 * Returns the role of somebody in these groups: the highest that any of them has, or the default.
 */
export function roleOf(
  { defaultRole, groupRoles }: Pick<Directory, 'defaultRole' | 'groupRoles'>,
  groups: readonly string[],
): DirectoryRole {
  return groupRoles
    .filter(({ group }) => groups.includes(group))
    .reduce<DirectoryRole>((best, { role }) => (hasRole(role, best) ? role : best), defaultRole);
}

/**
 * Stores a person as the directory sends them, and lets their membership follow.
 * @param before the person as stored; absent for a new one
 * @throws DocentError `last_owner`, `role_missing` if an owner would be removed
 */
export async function savePerson(
  deps: ProvisionDeps,
  sender: Sender,
  person: Person,
  before?: Person,
): Promise<void> {
  const { queries } = deps.database;
  const member = await findMemberOf(queries, before ?? person);
  if (!person.active) requireNoOwner(member);
  const linked = { ...person, userId: member?.userId ?? person.userId };
  if (before) await updatePerson(queries, linked);
  else await insertPerson(queries, linked);
  if (before && before.email !== person.email) await endInvitation(deps, sender, before.email);
  await followPerson(deps, sender, linked);
}

/** Ends what a person has here, and forgets them. @throws DocentError `role_missing` */
export async function removePerson(
  deps: ProvisionDeps,
  sender: Sender,
  person: Person,
): Promise<void> {
  requireNoOwner(await findMemberOf(deps.database.queries, person));
  await followPerson(deps, sender, { ...person, active: false });
  await deletePerson(deps.database.queries, person);
}

/**
 * Stores a group as the directory sends it, and gives its people the roles that follow. What the
 * directory did not change stays, so that two changes at a time both count.
 * @param before the group as the directory has read it; absent for a new one
 */
export async function changeGroup(
  deps: ProvisionDeps,
  sender: Sender,
  group: Group,
  before?: Group,
): Promise<void> {
  const former = new Set(before?.personIds);
  const next = new Set(group.personIds);
  const added = [...next].filter((id) => !former.has(id));
  const removed = [...former].filter((id) => !next.has(id));
  await deps.database.queries.transaction().execute(async (transaction) => {
    await saveGroup(transaction, group);
    await changeGroupPeople(transaction, group, { added, removed });
  });
  const isRenamed = before !== undefined && before.name !== group.name;
  await followPeople(deps, sender, isRenamed ? [...former, ...added] : [...added, ...removed]);
}

/** Deletes a group; the roles of its people follow. */
export async function removeGroup(
  deps: ProvisionDeps,
  sender: Sender,
  group: Group,
): Promise<void> {
  await deleteGroup(deps.database.queries, group);
  await followPeople(deps, sender, group.personIds);
}

async function followPeople(
  deps: ProvisionDeps,
  sender: Sender,
  ids: readonly string[],
): Promise<void> {
  const { organizationId } = sender.actor;
  for (const id of ids)
    for (const person of await listPeople(deps.database.queries, { organizationId, id }))
      await followPerson(deps, sender, person);
}

/**
 * Lets the membership of a person follow the directory: members keep up with their groups, others
 * are expected, and who has left is removed as in the dashboard. Nobody gets into an account that
 * exists: whoever joins signs in first.
 */
async function followPerson(deps: ProvisionDeps, sender: Sender, person: Person): Promise<void> {
  const { queries } = deps.database;
  const member = await findMemberOf(queries, person);
  if (!person.active) {
    await endInvitation(deps, sender, person.email);
    if (member)
      await record(deps, sender, 'removeMember', member, () =>
        removeMember(deps, sender.actor, member.userId),
      );
    return;
  }
  const directory = await findDirectory(queries, person.organizationId);
  const groups = await listGroupsOf(queries, [person.id]);
  const role = roleOf(
    directory,
    groups.map(({ name }) => name),
  );
  if (!member) return expect(deps, sender, person, role);
  // Without roles of groups, they are given by hand.
  if (member.role === role || member.role === 'owner' || directory.groupRoles.length === 0) return;
  await record(deps, sender, 'changeMember', member, () =>
    changeRole(deps, sender.actor, member.userId, { role }),
  );
}

/** Lets somebody join with a role. No mail is sent: the provider of the organization signs them in. */
async function expect(
  deps: ProvisionDeps,
  sender: Sender,
  { email, organizationId }: Person,
  role: DirectoryRole,
): Promise<void> {
  const { database, clock } = deps;
  const createdAt = clock.now();
  const open = await listInvitationsOf(database.queries, email, createdAt);
  if (open.some((row) => row.organizationId === organizationId && row.role === role)) return;
  const invitation = {
    id: createUlid(createdAt),
    email,
    role,
    invitedBy: actorId(sender.actor),
    expiresAt: new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS),
    createdAt,
  };
  const named = { userId: invitation.id, name: email };
  await record(deps, sender, 'createInvitation', named, async () => {
    const tokenHash = hashSecret(randomBytes(24).toString('base64url'));
    await replaceInvitation(database.queries, { invitation, organizationId, tokenHash });
    return [];
  });
}

async function endInvitation(deps: ProvisionDeps, sender: Sender, email: string): Promise<void> {
  const { database, clock } = deps;
  const { organizationId } = sender.actor;
  for (const row of await listInvitationsOf(database.queries, email, clock.now())) {
    if (row.organizationId !== organizationId) continue;
    await record(deps, sender, 'revokeInvitation', { userId: row.id, name: email }, async () => {
      await deleteInvitation(database.queries, organizationId, row.id);
      return [];
    });
  }
}

/** Does something, and writes it to the audit log of the organization. */
async function record(
  deps: ProvisionDeps,
  { actor, address }: Sender,
  action: string,
  { userId: thing, name }: { userId: string; name: string },
  run: () => Promise<Consequence[]>,
): Promise<void> {
  const consequences = await run();
  const entry = { address, outcome: 'done', code: null } as const;
  const state = { before: { name, site: null }, after: async () => undefined };
  await recordAudit(deps, actor, { ...entry, action, thing }, state);
  await recordConsequences(deps, actor, entry, consequences);
}

function requireNoOwner(member: { role: string } | undefined): void {
  if (member?.role !== 'owner') return;
  throw new DocentError(
    'role_missing',
    'The directory removes no owners, who come in when it is down. Another owner must remove this one, or give them another role, in the dashboard.',
  );
}

/**
 * Returns the member whom a directory means: the one who joined before, or the one with the address.
 */
export async function findMemberOf(
  queries: QueryRunner,
  { organizationId, userId, email }: Pick<Person, 'organizationId' | 'userId' | 'email'>,
): Promise<{ userId: string; role: Role; name: string } | undefined> {
  return queries
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id as userId', 'members.role as role', 'users.name as name'])
    .where('members.organization_id', '=', organizationId)
    .where((row) => row.or([row('users.id', '=', userId), row('users.email', '=', email)]))
    .orderBy(sql`users.id IS DISTINCT FROM ${userId}`)
    .executeTakeFirst();
}
