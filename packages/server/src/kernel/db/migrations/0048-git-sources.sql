-- additive
-- The repository that a site is published from.
CREATE TABLE git_sources (
  id text PRIMARY KEY,
  site_id text NOT NULL UNIQUE REFERENCES sites (id) ON DELETE CASCADE,
  url text NOT NULL,
  branch text NOT NULL,
  -- Of the documentation in the repository; empty for all of it.
  folder text NOT NULL,
  provider text NOT NULL,
  -- Whether a push is published without anybody asking.
  automatic boolean NOT NULL,
  -- 'none', 'token' or 'ssh'.
  credentials text NOT NULL,
  username text,
  -- Token or private key, encrypted with a key that is derived from the secret of the server.
  secret text,
  public_key text,
  -- Keys that the host showed when it was first connected to by ssh.
  known_hosts text,
  -- Commit and content of the folder that were deployed, or looked at and left out.
  seen_sha text,
  seen_tree text,
  -- When the branch is looked at next. Put off while a job does.
  check_at timestamptz(3) NOT NULL,
  checked_at timestamptz(3),
  last_error text,
  last_error_at timestamptz(3),
  made_by text,
  created_at timestamptz(3) NOT NULL
);

CREATE INDEX git_sources_due ON git_sources (check_at) WHERE automatic;

-- The ref that a deployment is fetched from when it is built; null if its source was uploaded.
ALTER TABLE deployments ADD COLUMN git_ref text;
