-- additive
-- Identifiers that a site had before; they lead to it until the site is deleted.
CREATE TABLE site_aliases (
  slug text PRIMARY KEY,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE INDEX site_aliases_by_site ON site_aliases (site_id, created_at);

ALTER TABLE sites
  -- Whether an owner chose the name; otherwise each publish brings the one of docs.json.
  ADD COLUMN has_chosen_name boolean NOT NULL DEFAULT false,
  -- What is not there has its default (core/access/site-settings.ts).
  ADD COLUMN settings jsonb NOT NULL DEFAULT '{}',
  -- When an owner last chose what is live; a build that was started before does not replace it.
  ADD COLUMN promoted_at timestamptz(3);

ALTER TABLE deployments
  -- Why it ended where it neither succeeded nor failed.
  ADD COLUMN end_reason text CHECK (end_reason IN ('cancelled', 'superseded')),
  -- Its build is kept, however old.
  ADD COLUMN pinned boolean NOT NULL DEFAULT false,
  -- Deleted by an owner; the row stays for the exports that were made from it.
  ADD COLUMN deleted_at timestamptz(3),
  -- When its last try began.
  ADD COLUMN started_at timestamptz(3),
  -- What its last try did and when, and what all tries said (core/deployments/build-progress.ts).
  ADD COLUMN stages jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN log jsonb NOT NULL DEFAULT '[]',
  -- Pages that it added, changed and removed; null where it was not built.
  ADD COLUMN changes jsonb,
  -- Numbers of the report, for lists.
  ADD COLUMN page_count integer NOT NULL DEFAULT 0 CHECK (page_count >= 0),
  ADD COLUMN error_count integer NOT NULL DEFAULT 0 CHECK (error_count >= 0),
  ADD COLUMN warning_count integer NOT NULL DEFAULT 0 CHECK (warning_count >= 0);

UPDATE deployments SET end_reason = 'superseded' WHERE summary = 'Superseded by a newer deployment.';
UPDATE deployments SET page_count = (report ->> 'pageCount')::integer WHERE status = 'success';
UPDATE deployments SET
  error_count = (SELECT count(*) FROM jsonb_array_elements(report -> 'diagnostics') one WHERE one ->> 'severity' = 'error'),
  warning_count = (SELECT count(*) FROM jsonb_array_elements(report -> 'diagnostics') one WHERE one ->> 'severity' = 'warning')
WHERE jsonb_typeof(report) = 'object';

CREATE INDEX deployments_by_status ON deployments (site_id, status, created_at DESC, id DESC);
