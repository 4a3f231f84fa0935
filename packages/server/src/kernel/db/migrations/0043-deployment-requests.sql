-- additive
-- The request that started a deployment, as in the log of the server; null if it was not a request, or an older version started it.
ALTER TABLE deployments ADD COLUMN request_id text;
