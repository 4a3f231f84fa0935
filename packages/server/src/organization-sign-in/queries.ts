import { hasRow } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { PeopleOidc, StoredMethods } from '../ports/readers/reader-tables.ts';

export interface OrganizationSignIn {
  /** The provider, of at most one kind. */
  saml: NonNullable<StoredMethods['saml']> | null;
  oidc: PeopleOidc | null;
  /** Whether members come in through the provider alone. */
  required: boolean;
  /** Addresses and ranges from which members come in; empty: all. */
  allowedAddresses: string[];
  /** Whether admin keys come from there alone, too. */
  limitsKeys: boolean;
}

/** A member, as the provider of their organization names them. */
export interface Identity {
  organizationId: string;
  issuer: string;
  subject: string;
}

/** Returns how people of an organization sign in. */
export async function findSignIn(
  queries: QueryRunner,
  organizationId: string,
): Promise<OrganizationSignIn> {
  const row = await queries
    .selectFrom('organization_sign_ins')
    .select([
      'saml',
      'oidc',
      'required',
      'allowed_addresses as allowedAddresses',
      'limits_keys as limitsKeys',
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return (
    row ?? { saml: null, oidc: null, required: false, allowedAddresses: [], limitsKeys: false }
  );
}

/** Stores how people of an organization sign in. */
export async function saveSignIn(
  queries: QueryRunner,
  organizationId: string,
  { saml, oidc, required, allowedAddresses, limitsKeys }: OrganizationSignIn,
  updatedAt: Date,
): Promise<void> {
  const columns = {
    saml: saml && JSON.stringify(saml),
    oidc: oidc && JSON.stringify(oidc),
    required,
    allowed_addresses: allowedAddresses,
    limits_keys: limitsKeys,
    updated_at: updatedAt,
  };
  await queries
    .insertInto('organization_sign_ins')
    .values({ organization_id: organizationId, ...columns })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
    .execute();
}

/** Returns the member whom a provider means. */
export async function findIdentity(
  queries: QueryRunner,
  { organizationId, issuer, subject }: Identity,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('organization_identities')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Lets a provider sign in to the account of a member. @returns false if it names them otherwise
 * already
 */
export async function insertIdentity(
  queries: QueryRunner,
  { organizationId, issuer, subject }: Identity,
  userId: string,
  createdAt: Date,
): Promise<boolean> {
  const insert = queries.insertInto('organization_identities').values({
    organization_id: organizationId,
    user_id: userId,
    issuer,
    subject,
    created_at: createdAt,
  });
  return hasRow(insert.onConflict((conflict) => conflict.doNothing()).returning('user_id'));
}

/** Returns whether a provider has signed a member in before. */
export async function hasIdentity(
  queries: QueryRunner,
  { organizationId, issuer }: Omit<Identity, 'subject'>,
  userId: string,
): Promise<boolean> {
  return hasRow(
    queries
      .selectFrom('organization_identities')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('issuer', '=', issuer)
      .where('user_id', '=', userId),
  );
}

/** Ends the sessions that the provider of an organization began. */
export async function endProviderSessions(
  queries: QueryRunner,
  organizationId: string,
): Promise<void> {
  await queries.deleteFrom('user_sessions').where('organization_id', '=', organizationId).execute();
}
