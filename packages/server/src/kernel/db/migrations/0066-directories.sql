-- additive
-- People whom the directory of an organization sends by SCIM.
CREATE TABLE organization_directories (
  organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  -- Hash of the token that the directory sends; null: no directory.
  token_hash text UNIQUE,
  token_created_at timestamptz(3),
  token_used_at timestamptz(3),
  -- Role of people in no group with a role.
  default_role text NOT NULL DEFAULT 'viewer',
  -- Roles of groups, by their names: [{"group": …, "role": …}].
  group_roles jsonb NOT NULL DEFAULT '[]',
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE directory_people (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- The member whom the directory means, once they have joined.
  user_id text REFERENCES users (id) ON DELETE SET NULL,
  user_name text NOT NULL,
  external_id text,
  -- Lower case.
  email text NOT NULL,
  active boolean NOT NULL,
  -- Their names, as the directory sent them.
  names jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (organization_id, email)
);
CREATE UNIQUE INDEX directory_people_by_name ON directory_people (organization_id, lower(user_name));
CREATE INDEX directory_people_by_user ON directory_people (user_id);

CREATE TABLE directory_groups (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  external_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX directory_groups_by_organization ON directory_groups (organization_id);

CREATE TABLE directory_group_people (
  group_id text NOT NULL REFERENCES directory_groups (id) ON DELETE CASCADE,
  person_id text NOT NULL REFERENCES directory_people (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, person_id)
);
CREATE INDEX directory_group_people_by_person ON directory_group_people (person_id);
