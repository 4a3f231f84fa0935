-- Not additive: a version that does not know previews would make their deployments live.
CREATE TABLE previews (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Stands before the identifier of the site in its address.
  name text NOT NULL,
  -- What it shows, in the words of its owner.
  branch text NOT NULL,
  -- Readers must know the password; null: everybody may read.
  password_hash text,
  -- What is shown; null until the first build.
  deployment_id text REFERENCES deployments (id) ON DELETE SET NULL,
  -- Days that it is kept after each deployment; null for ever.
  lifetime_days integer CHECK (lifetime_days > 0),
  expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (site_id, name)
);

CREATE INDEX previews_by_site ON previews (site_id, created_at DESC, id DESC);
CREATE INDEX previews_by_deployment ON previews (deployment_id) WHERE deployment_id IS NOT NULL;
CREATE INDEX previews_by_expiry ON previews (expires_at) WHERE expires_at IS NOT NULL;

-- Set on what is built for a preview, until it is made live.
ALTER TABLE deployments ADD COLUMN preview_id text REFERENCES previews (id) ON DELETE CASCADE;

CREATE INDEX deployments_by_preview ON deployments (site_id, preview_id, created_at DESC, id DESC);
CREATE INDEX deployments_of_preview ON deployments (preview_id) WHERE preview_id IS NOT NULL;
