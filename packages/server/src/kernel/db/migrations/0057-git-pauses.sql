-- additive
-- When an earlier deployment was made live: pushes are not published until somebody deploys again.
ALTER TABLE git_sources ADD COLUMN paused_at timestamptz(3);
ALTER TABLE git_sources ADD COLUMN paused_by text;
-- The newest commit that was pushed since then.
ALTER TABLE git_sources ADD COLUMN waiting_sha text;
