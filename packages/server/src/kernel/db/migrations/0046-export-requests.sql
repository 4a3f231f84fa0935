-- additive
-- The request that started an export, as in the log of the server; null if an older version started it.
ALTER TABLE export_jobs ADD COLUMN request_id text;
