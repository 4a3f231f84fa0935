import { DocentError } from '@docent/format/errors.ts';
import { changeRole } from '../accounts/members.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { findDirectory } from '../directory/manage-directory.ts';
import { findMemberOf, roleOf } from '../directory/provision.ts';
import { deleteInvitation, listInvitationsOf } from '../invitations/manage-invitations.ts';
import { findMemberRole, findUser, insertMember } from '../kernel/access/member-queries.ts';
import type { OrganizationRow } from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { emailAddress } from '../kernel/operations/fields.ts';
import type { AccountUser } from '../ports/accounts.ts';
import { refusedSignIn } from '../readers/sign-in/claims.ts';
import { findIdentity, insertIdentity } from './queries.ts';

/** Somebody whom a provider has signed in. */
export interface ProviderPerson {
  /** Names the provider. */
  issuer: string;
  subject: string;
  email: string | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  name: string | undefined;
  /** Absent if the provider does not decide roles. */
  groups: string[] | undefined;
  /** When the provider ends its session; absent if it does not say. */
  endsAt?: Date | undefined;
}

export type AdmitDeps = Pick<
  Deps,
  'accounts' | 'clock' | 'database' | 'keyCache' | 'limiter' | 'logger'
>;

/**
 * Returns the account of somebody whom the provider of an organization has signed in, and makes
 * them a member if they are expected: by the directory or an invitation, or without a directory
 * because the provider admits them. The session that follows reaches this organization alone, so
 * that its provider can be trusted with nothing else.
 * @param browserUser who is signed in to their account in this browser: the only proof that an
 *   account which exists elsewhere is theirs
 * @throws DocentError `sign_in_required` saying why they are refused
 */
export async function admitPerson(
  deps: AdmitDeps,
  organization: OrganizationRow,
  person: ProviderPerson,
  address: string | null,
  browserUser: AccountUser | undefined,
): Promise<string> {
  const { queries } = deps.database;
  const { id: organizationId, plan } = organization;
  const { issuer, subject } = person;
  const identity = { organizationId, issuer, subject };
  const existing = await findIdentity(queries, identity);
  const userId = existing ?? (await connect(deps, organizationId, person, browserUser));
  await followGroups(deps, organization, person, userId);
  const role = (await findMemberRole(queries, organizationId, userId)) ?? 'viewer';
  const actor = { kind: 'member', userId, sessionId: '', role, organizationId, plan } as const;
  const entry = { thing: userId, address, outcome: 'done', code: null } as const;
  if (existing === undefined)
    await recordAudit(deps, actor, { ...entry, action: 'connectSingleSignOn' });
  await recordAudit(deps, actor, { ...entry, action: 'signInWithSso' });
  return userId;
}

/** Connects a subject of the provider with a member, for the first time. */
async function connect(
  deps: AdmitDeps,
  organizationId: string,
  { issuer, subject, email: sent, ...names }: ProviderPerson,
  browserUser: AccountUser | undefined,
): Promise<string> {
  const { data: email } = emailAddress.safeParse(sent?.toLowerCase());
  if (email === undefined) throw refusedSignIn('the provider sends no email address.');
  const { queries } = deps.database;
  const now = deps.clock.now();
  const identity = { organizationId, issuer, subject };
  const insert = async (transaction: typeof queries, userId: string) => {
    if (await insertIdentity(transaction, identity, userId, now)) return;
    // Addresses belong to different people over time, so one connects once.
    throw refusedSignIn(
      `${email} is the address of somebody else whom the provider signs in. An owner removes them from the organization, then try again.`,
    );
  };
  const member = await findMemberOf(queries, { organizationId, userId: null, email });
  if (member) {
    await insert(queries, member.userId);
    return member.userId;
  }
  const joining = await joiningOf(deps, organizationId, email);
  const account = await findUser(queries, email);
  if (account && account.id !== browserUser?.id)
    throw refusedSignIn(
      `${email} has an account here. Sign in to it in this browser first, then come again: the provider of an organization opens no account that exists.`,
    );
  const user = account ?? (await deps.accounts.createUser({ name: nameOf(names, email), email }));
  const join = queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    if (joining.invitationId)
      await deleteInvitation(transaction, organizationId, joining.invitationId);
    const { role } = joining;
    await insertMember(transaction, { organizationId, userId: user.id, role, createdAt: now });
    await insert(transaction as typeof queries, user.id);
  });
  await join.catch(async (error: unknown) => {
    if (!account) await deps.accounts.deleteUser(user.id);
    throw error;
  });
  return user.id;
}

function nameOf(
  { name, firstName, lastName }: Pick<ProviderPerson, 'name' | 'firstName' | 'lastName'>,
  email: string,
): string {
  const text = name ?? [firstName, lastName].filter(Boolean).join(' ');
  return (
    text
      .replace(/[^\P{C}]/gu, ' ')
      .trim()
      .slice(0, 100) || (email.split('@')[0] as string)
  );
}

/** Returns the role with which somebody joins. @throws DocentError `sign_in_required` */
async function joiningOf(
  { database, clock }: AdmitDeps,
  organizationId: string,
  email: string,
): Promise<{ role: 'viewer' | 'editor' | 'admin' | 'owner'; invitationId?: string }> {
  const invitations = await listInvitationsOf(database.queries, email, clock.now());
  const open = invitations.find((invitation) => invitation.organizationId === organizationId);
  // An invitation as an owner is accepted by its link alone.
  if (open && open.role !== 'owner') return { role: open.role, invitationId: open.id };
  const directory = await findDirectory(database.queries, organizationId);
  if (directory.tokenHash === null && !open) return { role: directory.defaultRole };
  throw refusedSignIn(
    'you are not a member of the organization. Its directory has not sent you; ask an admin.',
  );
}

/** Without a directory, the groups of the provider decide roles, as those of a directory do. */
async function followGroups(
  deps: AdmitDeps,
  { id: organizationId, plan }: OrganizationRow,
  { groups }: ProviderPerson,
  userId: string,
): Promise<void> {
  const directory = await findDirectory(deps.database.queries, organizationId);
  if (groups === undefined || directory.tokenHash !== null || directory.groupRoles.length === 0)
    return;
  const role = roleOf(directory, groups);
  const before = await findMemberRole(deps.database.queries, organizationId, userId);
  if (before === undefined || before === 'owner' || before === role) return;
  const actor = { kind: 'directory', organizationId, plan } as const;
  await changeRole(deps, actor, userId, { role });
  const entry = { action: 'changeMember', thing: userId, address: null } as const;
  await recordAudit(deps, actor, { ...entry, outcome: 'done', code: null });
}

/** @throws DocentError `organization_not_found` */
export function noProvider(): DocentError {
  return new DocentError(
    'organization_not_found',
    'There is no organization with a provider at this address; check its identifier.',
  );
}
