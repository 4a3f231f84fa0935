-- additive
-- Who may read a site. A site without a row is public and has no way to sign in.
CREATE TABLE site_access (
  site_id text PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  is_private boolean NOT NULL,
  session_days integer NOT NULL,
  -- Ways to sign in, by name. Passwords are hashed, other secrets encrypted with a key that is derived from the secret of the server.
  methods jsonb NOT NULL,
  changed_at timestamptz(3) NOT NULL
);

CREATE TABLE reader_sessions (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  method text NOT NULL,
  -- Of the way to sign in: a session ends when it changes.
  generation text NOT NULL,
  -- Of a member: the session ends with the membership.
  user_id text REFERENCES users (id) ON DELETE CASCADE,
  -- What owners see of the reader; null if they said nothing of themselves.
  name text,
  reader jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

CREATE INDEX reader_sessions_of_site ON reader_sessions (site_id, created_at DESC, id DESC);
CREATE INDEX reader_sessions_by_end ON reader_sessions (expires_at);
