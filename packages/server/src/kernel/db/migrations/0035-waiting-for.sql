-- additive
-- What unfinished work waits for while it is unavailable (`core/dependencies.ts`); null if it waits for nothing.
ALTER TABLE deployments ADD COLUMN waiting_for text;
ALTER TABLE export_jobs ADD COLUMN waiting_for text;
