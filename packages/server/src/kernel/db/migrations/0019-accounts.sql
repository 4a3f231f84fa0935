-- additive
-- People: how they sign in (users to two_factors, kept by the accounts adapter), and what they are members of.
CREATE TABLE users (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE user_sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  ip_address text,
  user_agent text,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE INDEX user_sessions_by_user ON user_sessions (user_id);
CREATE INDEX user_sessions_by_end ON user_sessions (expires_at);

-- A way to sign in: a password (hashed), or a person at an identity provider.
CREATE TABLE user_credentials (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id text NOT NULL,
  account_id text NOT NULL,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);

CREATE INDEX user_credentials_by_user ON user_credentials (user_id);

-- What is waited for: password resets, second factors, returns from an identity provider.
CREATE TABLE user_verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE INDEX user_verifications_by_identifier ON user_verifications (identifier);
CREATE INDEX user_verifications_by_end ON user_verifications (expires_at);

CREATE TABLE user_two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Both encrypted.
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz(3)
);

CREATE INDEX user_two_factors_by_user ON user_two_factors (user_id);

CREATE TABLE members (
  organisation_id text NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organisation_id, user_id)
);

CREATE INDEX members_by_user ON members (user_id, created_at);

CREATE TABLE invitations (
  id text PRIMARY KEY,
  organisation_id text NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  email text NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
  -- Hex SHA-256 of the token in the link.
  token_hash text NOT NULL UNIQUE,
  invited_by text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, email)
);

-- Whoever has the token of a printed link sets up the first account. Hex SHA-256 of the token.
CREATE TABLE setup_tokens (
  hash text PRIMARY KEY,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The operator's organisation was known by its identifier, which can change now.
ALTER TABLE organisations
  ADD COLUMN is_default boolean NOT NULL DEFAULT false,
  ADD COLUMN two_factor_required boolean NOT NULL DEFAULT false,
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now();
UPDATE organisations SET is_default = true WHERE slug = 'default';
CREATE UNIQUE INDEX organisations_default ON organisations (is_default) WHERE is_default;
