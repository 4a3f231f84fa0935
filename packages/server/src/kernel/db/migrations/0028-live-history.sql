-- additive
-- When a build first became live, and the preview that it was promoted from.
ALTER TABLE deployments
  ADD COLUMN first_live_at timestamptz(3),
  ADD COLUMN promoted_from text;
UPDATE deployments SET first_live_at = coalesce(ended_at, updated_at)
  WHERE status = 'success' AND preview_id IS NULL AND summary NOT LIKE '%. Not live: %';
UPDATE deployments SET first_live_at = coalesce(first_live_at, ended_at, updated_at)
  WHERE id IN (SELECT live_deployment_id FROM sites);
CREATE INDEX deployments_by_live ON deployments (site_id, first_live_at DESC) WHERE first_live_at IS NOT NULL;
