-- additive
-- The deployment whose place in the queue this one has taken, because it superseded it; null: it has its own.
ALTER TABLE deployments ADD COLUMN turn text;
CREATE INDEX deployments_by_turn ON deployments (coalesce(turn, id)) WHERE status IN ('queued', 'in_progress');
