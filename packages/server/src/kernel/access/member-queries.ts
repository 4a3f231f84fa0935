import type { Role } from '@docent/format/access/may.ts';
import { sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';
import type { RowOf } from '../../ports/tables.ts';
import { columnsOf, countRows, hasRow, type ListSlice, onPage } from '../db/query-parts.ts';
import { isNamed, isNamedNow } from './organization-queries.ts';

const membershipColumns = [
  'organizations.id as organizationId',
  'organizations.slug as slug',
  'organizations.name as name',
  'organizations.plan as plan',
  'organizations.two_factor_required as twoFactorRequired',
  'members.role as role',
] as const;

/** A person's membership in an organization. */
export type Membership = RowOf<'members' | 'organizations', typeof membershipColumns>;

const PASSWORD_PROVIDER = 'credential';

function memberships(queries: QueryRunner, userId: string) {
  return queries
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(membershipColumns)
    .where('members.user_id', '=', userId)
    .orderBy('members.created_at')
    .orderBy('organizations.id');
}

/** Returns the organizations of a person, oldest membership first. */
export async function listMemberships(queries: QueryRunner, userId: string): Promise<Membership[]> {
  return memberships(queries, userId).execute();
}

/**
 * Returns the identity of a session, if it has not ended. One that the provider of an organization
 * began is of that organization alone.
 * @param organization id, identifier or former one; defaults to the person's first one
 */
export async function findSessionMembership(
  queries: QueryRunner,
  session: { sessionId: string; userId: string },
  organization: string | undefined,
): Promise<
  | (Membership & {
      twoFactorEnabled: boolean;
      hasPassword: boolean;
      isOfProvider: boolean;
      providerRequired: boolean;
      /** Addresses from which members come in; empty or null: all. */
      allowedAddresses: string[] | null;
    })
  | undefined
> {
  return memberships(queries, session.userId)
    .innerJoin('user_sessions', 'user_sessions.user_id', 'members.user_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin(
      'organization_sign_ins',
      'organization_sign_ins.organization_id',
      'members.organization_id',
    )
    .where((row) =>
      row.or([
        row('user_sessions.organization_id', 'is', null),
        row('user_sessions.organization_id', '=', row.ref('members.organization_id')),
      ]),
    )
    .select((row) => [
      'users.two_factor_enabled as twoFactorEnabled',
      row('user_sessions.organization_id', 'is not', null).$castTo<boolean>().as('isOfProvider'),
      'organization_sign_ins.allowed_addresses as allowedAddresses',
      row.fn.coalesce('organization_sign_ins.required', sql<boolean>`false`).as('providerRequired'),
      row
        .exists(
          row
            .selectFrom('user_credentials')
            .select('user_credentials.id')
            .whereRef('user_credentials.user_id', '=', 'users.id')
            .where('user_credentials.provider_id', '=', PASSWORD_PROVIDER),
        )
        .$castTo<boolean>()
        .as('hasPassword'),
    ])
    .where('user_sessions.id', '=', session.sessionId)
    .$if(organization !== undefined, (query) =>
      query
        .where(isNamed(organization as string))
        .clearOrderBy()
        .orderBy(isNamedNow(organization as string), 'desc')
        .orderBy('organizations.id'),
    )
    .executeTakeFirst();
}

/** Returns whether the session has neither ended nor been revoked. */
export async function isSessionKept(queries: QueryRunner, sessionId: string): Promise<boolean> {
  return hasRow(queries.selectFrom('user_sessions').select('id').where('id', '=', sessionId));
}

/**
 * Returns the organization that a session is limited to, `null` for one of an account; `undefined`
 * if it has ended or been revoked.
 */
export async function findSessionScope(
  queries: QueryRunner,
  sessionId: string,
): Promise<string | null | undefined> {
  const session = await queries
    .selectFrom('user_sessions')
    .select('organization_id')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return session?.organization_id;
}

/** Returns the email address of a person. */
export async function findEmail(queries: QueryRunner, userId: string): Promise<string | undefined> {
  const user = await queries
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.email;
}

/** Ends all sessions of a person. */
export async function deleteSessions(queries: QueryRunner, userId: string): Promise<void> {
  await queries.deleteFrom('user_sessions').where('user_id', '=', userId).execute();
}

/** Returns a person's sign-in methods. */
export async function findSignInWays(
  queries: QueryRunner,
  userId: string,
): Promise<{ hasPassword: boolean; hasSso: boolean }> {
  const credentials = await queries
    .selectFrom('user_credentials')
    .select('provider_id')
    .where('user_id', '=', userId)
    .execute();
  const providers = credentials.map(({ provider_id }) => provider_id);
  return {
    hasPassword: providers.includes(PASSWORD_PROVIDER),
    hasSso: providers.some((provider) => provider !== PASSWORD_PROVIDER),
  };
}

/**
 * Returns the identities at providers that sign in to an account, with the address of the account.
 */
export async function listIdentities(
  queries: QueryRunner,
  userId: string,
): Promise<{ id: string; subject: string; issuer: string | null; email: string }[]> {
  return queries
    .selectFrom('user_credentials')
    .innerJoin('users', 'users.id', 'user_credentials.user_id')
    .select(['user_credentials.id', 'account_id as subject', 'issuer', 'email'])
    .where('user_id', '=', userId)
    .where('provider_id', '!=', PASSWORD_PROVIDER)
    .execute();
}

/** Sets the issuer of an identity. */
export async function updateIssuer(
  queries: QueryRunner,
  credentialId: string,
  issuer: string,
): Promise<void> {
  await queries
    .updateTable('user_credentials')
    .set({ issuer })
    .where('id', '=', credentialId)
    .execute();
}

/** Replaces the stored hash of a password, unless it has changed. */
export async function replacePasswordHash(
  queries: QueryRunner,
  from: string,
  to: string,
): Promise<void> {
  await queries
    .updateTable('user_credentials')
    .set({ password: to })
    .where('password', '=', from)
    .execute();
}

/**
 * Removes sign-in methods other than the password, if there is a password. @returns whether any was
 * removed
 */
export async function deleteSsoCredentials(queries: QueryRunner, userId: string): Promise<boolean> {
  const others = queries
    .deleteFrom('user_credentials')
    .where('user_id', '=', userId)
    .where('provider_id', '!=', PASSWORD_PROVIDER)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('user_credentials as password')
          .select('password.id')
          .where('password.user_id', '=', userId)
          .where('password.provider_id', '=', PASSWORD_PROVIDER),
      ),
    );
  return hasRow(others.returning('id'));
}

/** Returns whether any account exists. */
export async function hasUsers(queries: QueryRunner): Promise<boolean> {
  return hasRow(queries.selectFrom('users').select('id').limit(1));
}

/** Makes a person a member; an existing member keeps their role. */
export async function insertMember(
  queries: QueryRunner,
  member: { organizationId: string; userId: string; role: Role; createdAt: Date },
): Promise<void> {
  await queries
    .insertInto('members')
    .values(columnsOf(member))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const memberColumns = [
  'users.id as userId',
  'users.name as name',
  'users.email as email',
  'users.two_factor_enabled as twoFactorEnabled',
  'members.role as role',
  'members.created_at as createdAt',
] as const;

export type MemberRow = RowOf<'members' | 'users', typeof memberColumns>;

/** Returns the members of an organization in the order in which they joined. */
export async function listMembers(
  queries: QueryRunner,
  organizationId: string,
  { after, limit }: ListSlice,
) {
  return queries
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(memberColumns)
    .where('members.organization_id', '=', organizationId)
    .$call(onPage({ after, limit }, ['members.created_at', 'members.user_id'], 'asc'))
    .execute();
}

export async function findMemberRole(
  queries: QueryRunner,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> {
  const member = await queries
    .selectFrom('members')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return member?.role;
}

/** Returns the number of members of an organization. */
export async function countMembers(queries: QueryRunner, organizationId: string): Promise<number> {
  return countRows(queries.selectFrom('members').where('organization_id', '=', organizationId));
}

export async function countOwners(queries: QueryRunner, organizationId: string): Promise<number> {
  const members = queries.selectFrom('members').where('organization_id', '=', organizationId);
  return countRows(members.where('role', '=', 'owner'));
}

/** Returns the owner who has been a member longest, other than one. */
export async function findOtherOwner(
  queries: QueryRunner,
  organizationId: string,
  userId: string,
): Promise<string | undefined> {
  const owner = await queries
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return owner?.user_id;
}

export async function updateMemberRole(
  queries: QueryRunner,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await queries
    .updateTable('members')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(
  queries: QueryRunner,
  organizationId: string,
  userId: string,
): Promise<void> {
  await queries
    .deleteFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

/** Returns whether a member of the organization has that address. */
export async function hasMemberWithEmail(
  queries: QueryRunner,
  organizationId: string,
  email: string,
): Promise<boolean> {
  return hasRow(
    queries
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select('users.id')
      .where('members.organization_id', '=', organizationId)
      .where('users.email', '=', email),
  );
}

/**
 * Returns the addresses of the admins and owners of a site's organization, those first who have
 * been members longest.
 */
export async function listAdminEmailsOf(
  queries: QueryRunner,
  siteId: string,
  limit: number,
): Promise<string[]> {
  const rows = await queries
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('sites', 'sites.organization_id', 'members.organization_id')
    .select('users.email')
    .where('sites.id', '=', siteId)
    .where('members.role', 'in', ['admin', 'owner'])
    .orderBy('members.created_at')
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}

/** Returns the account with that id or email address. */
export async function findUser(
  queries: QueryRunner,
  name: string,
): Promise<{ id: string; email: string } | undefined> {
  return queries
    .selectFrom('users')
    .select(['id', 'email'])
    .where((row) => row.or([row('id', '=', name), row('email', '=', name.toLowerCase())]))
    .executeTakeFirst();
}

/** Returns since when failed sign-ins of an account count; `undefined` if they always did. */
export async function findCountStart(
  queries: QueryRunner,
  email: string,
): Promise<Date | undefined> {
  const account = await queries
    .selectFrom('users')
    .select('sign_ins_counted_from')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return account?.sign_ins_counted_from ?? undefined;
}

/** Lets failed sign-ins before `now` no longer count. */
export async function updateCountStart(
  queries: QueryRunner,
  userId: string,
  now: Date,
): Promise<void> {
  await queries
    .updateTable('users')
    .set({ sign_ins_counted_from: now })
    .where('id', '=', userId)
    .execute();
}

/** Returns the people who can sign in, oldest account first. */
export async function listUsers(queries: QueryRunner, { after, limit }: ListSlice) {
  return queries
    .selectFrom('users')
    .select([
      'id',
      'name',
      'email',
      'two_factor_enabled as twoFactorEnabled',
      'created_at as createdAt',
    ])
    .$call(onPage({ after, limit }, ['created_at', 'id'], 'asc'))
    .execute();
}

/** Returns whether this is the only owner of an organization. */
export async function isLastOwnerAnywhere(queries: QueryRunner, userId: string): Promise<boolean> {
  return hasRow(
    queries
      .selectFrom('members as own')
      .select('own.organization_id')
      .where('own.user_id', '=', userId)
      .where('own.role', '=', 'owner')
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('members as other')
              .select('other.user_id')
              .whereRef('other.organization_id', '=', 'own.organization_id')
              .where('other.user_id', '!=', userId)
              .where('other.role', '=', 'owner'),
          ),
        ),
      ),
  );
}

/**
 * Deletes expired sessions, password reset links, sign-in steps, trusted devices and invitations.
 */
export async function deleteExpiredAccountRecords(queries: QueryRunner, now: Date): Promise<void> {
  for (const table of [
    'user_sessions',
    'user_verifications',
    'user_trusted_devices',
    'invitations',
  ]) {
    await sql`DELETE FROM ${sql.table(table)} WHERE expires_at < ${now}`.execute(queries);
  }
}
