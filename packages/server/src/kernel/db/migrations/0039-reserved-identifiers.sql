-- additive
-- Identifiers of deleted sites, which stay with their organization: hostnames may still point to their address, and would be proven
-- there for whoever has the identifier. The organization may be deleted too.
CREATE TABLE reserved_slugs (
  slug text PRIMARY KEY,
  organisation_id text NOT NULL,
  -- What the site claimed: while one of them points to its address, the identifier stays reserved.
  hostnames text[] NOT NULL DEFAULT '{}',
  -- When it is free, unless a hostname still points there.
  check_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE INDEX reserved_slugs_due ON reserved_slugs (check_at);
