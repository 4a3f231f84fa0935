-- additive
-- Apps at GitHub that organizations own.
CREATE TABLE github_apps (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- Of GitHub: github.com, or the server of a company.
  host text NOT NULL,
  -- Hash of what GitHub sends back once the app is created; null after that.
  state_hash text UNIQUE,
  -- What GitHub names it; null until it is created.
  app_id text,
  name text,
  owner text,
  html_url text,
  -- Private key and secret of the webhook, encrypted.
  secrets text,
  webhook_at timestamptz(3),
  made_by text,
  created_at timestamptz(3) NOT NULL
);

CREATE INDEX github_apps_by_organization ON github_apps (organization_id, created_at DESC, id DESC);

-- The app that lets the server in, where credentials are 'github_app'.
ALTER TABLE git_sources ADD COLUMN github_app_id text REFERENCES github_apps (id) ON DELETE SET NULL;
CREATE INDEX git_sources_by_app ON git_sources (github_app_id);
