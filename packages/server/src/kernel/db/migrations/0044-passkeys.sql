-- additive
-- Keys of authenticators (WebAuthn) that sign people in; kept by the accounts adapter.
CREATE TABLE user_passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL UNIQUE,
  counter bigint NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX user_passkeys_by_user ON user_passkeys (user_id);
