-- additive
-- Who published what: the commit as its publisher describes it, the actor as in the audit log, and the way that the source came.
-- All are null for deployments of a version that did not record them.
ALTER TABLE deployments ADD COLUMN git jsonb;
ALTER TABLE deployments ADD COLUMN actor text;
ALTER TABLE deployments ADD COLUMN source text;
