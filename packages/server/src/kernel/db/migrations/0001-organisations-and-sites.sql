-- Times have milliseconds, not microseconds: what a program reads is then exactly what is stored, so that a cursor made
-- from a time finds its row again.

CREATE TABLE organisations (
  id text PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'enterprise')),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE sites (
  id text PRIMARY KEY,
  organisation_id text NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  live_deployment_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE INDEX sites_by_organisation ON sites (organisation_id, created_at);

CREATE TABLE site_hostnames (
  hostname text PRIMARY KEY CHECK (hostname = lower(hostname)),
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE
);

CREATE INDEX site_hostnames_by_site ON site_hostnames (site_id);

CREATE TABLE deployments (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('queued', 'in_progress', 'success', 'failure')),
  source_key text NOT NULL,
  manifest_key text,
  build_id text,
  summary text NOT NULL DEFAULT '',
  report jsonb NOT NULL DEFAULT 'null',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  -- A site can go live only with what was built.
  CHECK (status <> 'success' OR (manifest_key IS NOT NULL AND build_id IS NOT NULL))
);

CREATE INDEX deployments_by_site ON deployments (site_id, created_at DESC, id DESC);
CREATE INDEX deployments_unfinished ON deployments (created_at) WHERE status IN ('queued', 'in_progress');

ALTER TABLE sites
  ADD CONSTRAINT sites_live_deployment_id_fkey
  FOREIGN KEY (live_deployment_id) REFERENCES deployments (id) ON DELETE SET NULL;

CREATE INDEX sites_by_live_deployment ON sites (live_deployment_id) WHERE live_deployment_id IS NOT NULL;
