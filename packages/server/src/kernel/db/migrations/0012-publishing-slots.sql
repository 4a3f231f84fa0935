-- additive
-- Queued without a place in the job queue, until the organisation has room for it.
ALTER TABLE deployments ADD COLUMN waiting boolean NOT NULL DEFAULT false;
