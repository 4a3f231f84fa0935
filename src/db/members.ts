import type { Plan, Role } from '../core/access/may.ts';
import type { QueryRunner } from '../ports/database.ts';

/** What a person is in an organisation. */
export interface Membership {
  organisationId: string;
  slug: string;
  name: string;
  plan: Plan;
  role: Role;
  twoFactorRequired: boolean;
}

const PASSWORD_PROVIDER = 'credential';

function memberships(queries: QueryRunner, userId: string) {
  return queries
    .selectFrom('members')
    .innerJoin('organisations', 'organisations.id', 'members.organisation_id')
    .select([
      'organisations.id as organisationId',
      'organisations.slug as slug',
      'organisations.name as name',
      'organisations.plan as plan',
      'organisations.two_factor_required as twoFactorRequired',
      'members.role as role',
    ])
    .where('members.user_id', '=', userId)
    .orderBy('members.created_at')
    .orderBy('organisations.id');
}

/** The organisations of a person, the oldest membership first. */
export async function listMemberships(queries: QueryRunner, userId: string): Promise<Membership[]> {
  return memberships(queries, userId).execute();
}

/**
 * What a session acts as, if it has not ended.
 * @param organisation id or identifier; without it the first of the person
 */
export async function findSessionMembership(
  queries: QueryRunner,
  session: { sessionId: string; userId: string },
  organisation: string | undefined,
): Promise<(Membership & { twoFactorEnabled: boolean; hasPassword: boolean }) | undefined> {
  return memberships(queries, session.userId)
    .innerJoin('user_sessions', 'user_sessions.user_id', 'members.user_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select((row) => [
      'users.two_factor_enabled as twoFactorEnabled',
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
    .$if(organisation !== undefined, (query) =>
      query.where((row) =>
        row.or([row('organisations.slug', '=', organisation as string), row('organisations.id', '=', organisation as string)]),
      ),
    )
    .executeTakeFirst();
}

/** Whether the session has neither ended nor been revoked. */
export async function isSessionKept(queries: QueryRunner, sessionId: string): Promise<boolean> {
  return (await queries.selectFrom('user_sessions').select('id').where('id', '=', sessionId).executeTakeFirst()) !== undefined;
}

/** Whether anybody has an account. */
export async function hasUsers(queries: QueryRunner): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Makes a person a member; one who is a member already keeps their role. @returns whether they became one */
export async function insertMember(
  queries: QueryRunner,
  member: { organisationId: string; userId: string; role: Role; createdAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('members')
    .values({ organisation_id: member.organisationId, user_id: member.userId, role: member.role, created_at: member.createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
