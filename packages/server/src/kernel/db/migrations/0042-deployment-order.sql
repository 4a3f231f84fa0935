-- additive
-- Which deployment was started later. Clocks cannot say it: one that is put back makes every new deployment the older one.
CREATE SEQUENCE deployment_numbers;
ALTER TABLE deployments ADD COLUMN number bigint;
UPDATE deployments SET number = ordered.number
FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS number FROM deployments) ordered
WHERE ordered.id = deployments.id;
SELECT setval('deployment_numbers', (SELECT count(*) + 1 FROM deployments));
ALTER TABLE deployments ALTER COLUMN number SET DEFAULT nextval('deployment_numbers');
ALTER TABLE deployments ALTER COLUMN number SET NOT NULL;

-- The number that a deployment would have had when an owner last chose what is live; null if nobody did. An older one does not
-- replace the choice.
ALTER TABLE sites ADD COLUMN promoted_number bigint;
UPDATE sites SET promoted_number = (
  SELECT coalesce(max(number), 0) FROM deployments
  WHERE deployments.site_id = sites.id AND deployments.created_at < sites.promoted_at
) WHERE promoted_at IS NOT NULL;
