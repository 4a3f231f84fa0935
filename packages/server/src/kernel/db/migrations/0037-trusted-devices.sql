-- additive
-- Browsers that skip the second factor, for 30 days after the code was entered. The accounts adapter looks for the row of
-- `user_verifications` with the same identifier; this row says when and where it began.
CREATE TABLE user_trusted_devices (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Changes with every sign-in.
  identifier text NOT NULL UNIQUE,
  ip_address text,
  user_agent text,
  trusted_at timestamptz(3) NOT NULL,
  used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX user_trusted_devices_by_user ON user_trusted_devices (user_id);
CREATE INDEX user_trusted_devices_by_end ON user_trusted_devices (expires_at);

-- The time step (RFC 6238) of the last code that was accepted; neither it nor an earlier one is accepted again.
ALTER TABLE user_two_factors ADD COLUMN last_step bigint;

-- The issuer (OpenID Connect) of an identity; null on those that were connected before it was stored.
ALTER TABLE user_credentials ADD COLUMN issuer text;
