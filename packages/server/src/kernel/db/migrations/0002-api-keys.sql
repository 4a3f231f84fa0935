CREATE TABLE api_keys (
  id text PRIMARY KEY,
  organisation_id text NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  site_id text REFERENCES sites (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('assistant', 'admin')),
  name text NOT NULL,
  hash text NOT NULL UNIQUE,
  masked text NOT NULL,
  scopes text[] NOT NULL DEFAULT '{}' CHECK (scopes <@ ARRAY['read', 'write']),
  ip_allowlist text[] NOT NULL DEFAULT '{}',
  origin_allowlist text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- An assistant key without a site would answer for every site.
  CHECK ((kind = 'assistant') = (site_id IS NOT NULL))
);

CREATE INDEX api_keys_by_organisation ON api_keys (organisation_id, created_at);
CREATE INDEX api_keys_by_site ON api_keys (site_id) WHERE site_id IS NOT NULL;
