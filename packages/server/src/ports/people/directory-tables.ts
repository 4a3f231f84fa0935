import type { Role } from '@docent/format/access/may.ts';
import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, Date | undefined, never>;
type UpdatedAt = ColumnType<Date, Date | undefined, Date>;
/** Read as a value, written as its JSON text. */
type Json<Value> = ColumnType<Value, string | undefined, string>;

/** Roles that a directory can give. Owners are made by owners alone. */
export const DIRECTORY_ROLES = ['viewer', 'editor', 'admin'] as const satisfies readonly Role[];
export type DirectoryRole = (typeof DIRECTORY_ROLES)[number];

export interface GroupRole {
  /** Name of a group. */
  group: string;
  role: DirectoryRole;
}

/** Names of a person, as SCIM has them. */
export interface DirectoryNames {
  displayName?: string | undefined;
  name?: { formatted?: string; givenName?: string; familyName?: string } | undefined;
}

/** The columns of the tables about people whom the directory or provider of an organization sends. */
export interface DirectoryTables {
  organization_identities: {
    organization_id: string;
    user_id: string;
    issuer: string;
    subject: string;
    created_at: CreatedAt;
  };
  organization_directories: {
    organization_id: string;
    token_hash: string | null;
    token_created_at: Date | null;
    token_used_at: Date | null;
    default_role: Generated<DirectoryRole>;
    group_roles: Json<GroupRole[]>;
    updated_at: UpdatedAt;
  };
  directory_people: {
    id: string;
    organization_id: string;
    /** The member whom the directory means, once they have joined. */
    user_id: string | null;
    user_name: string;
    external_id: string | null;
    /** Lower case. */
    email: string;
    active: boolean;
    names: Json<DirectoryNames>;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  directory_groups: {
    id: string;
    organization_id: string;
    name: string;
    external_id: string | null;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  directory_group_people: { group_id: string; person_id: string };
}
