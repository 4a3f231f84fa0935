-- additive
-- The identity provider of an organization for its people.
CREATE TABLE organization_sign_ins (
  organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  -- Its provider of SAML; null: none.
  saml jsonb,
  -- Whether members come in through it alone; owners also with their account and a second factor.
  required boolean NOT NULL DEFAULT false,
  updated_at timestamptz(3) NOT NULL
);

-- Whom the provider means: a subject of an issuer is one member for as long as they are.
CREATE TABLE organization_identities (
  organization_id text NOT NULL,
  user_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, issuer, subject),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX organization_identities_by_user ON organization_identities (organization_id, user_id, issuer);

-- Of a session that the provider began: it reaches this organization alone, and ends with the membership.
ALTER TABLE user_sessions ADD COLUMN organization_id text;
ALTER TABLE user_sessions ADD CONSTRAINT user_sessions_of_member
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE;
CREATE INDEX user_sessions_by_organization ON user_sessions (organization_id, user_id) WHERE organization_id IS NOT NULL;
