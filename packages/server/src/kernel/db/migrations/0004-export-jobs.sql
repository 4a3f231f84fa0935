CREATE TABLE export_jobs (
  id text PRIMARY KEY,
  organisation_id text NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  deployment_id text NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  domain text NOT NULL,
  version text,
  paths jsonb NOT NULL DEFAULT 'null',
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  progress double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  page_count integer NOT NULL DEFAULT 0 CHECK (page_count >= 0),
  total_pages integer CHECK (total_pages >= 0),
  error text,
  bundle_key text,
  bundle_size_bytes bigint CHECK (bundle_size_bytes >= 0),
  bundle_sha256 text,
  idempotency_key text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, idempotency_key),
  -- A completed job always has something to download.
  CHECK (status <> 'completed' OR (bundle_key IS NOT NULL AND bundle_size_bytes IS NOT NULL AND bundle_sha256 IS NOT NULL))
);

CREATE INDEX export_jobs_by_organisation ON export_jobs (organisation_id, created_at DESC, id DESC);
CREATE INDEX export_jobs_by_site ON export_jobs (site_id);
CREATE INDEX export_jobs_by_deployment ON export_jobs (deployment_id);
CREATE INDEX export_jobs_unfinished ON export_jobs (created_at) WHERE status IN ('queued', 'running');
