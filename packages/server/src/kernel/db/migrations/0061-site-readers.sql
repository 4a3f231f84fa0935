-- additive
-- Readers whom a site invites, and what it says of members: groups of an email address, or of all addresses of a domain.
CREATE TABLE site_readers (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- In lower case; a domain has no @.
  address text NOT NULL,
  groups jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (site_id, address)
);

CREATE INDEX site_readers_by_time ON site_readers (site_id, created_at DESC, id DESC);
