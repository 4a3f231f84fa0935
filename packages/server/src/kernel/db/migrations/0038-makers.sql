-- additive
-- Who created a key, a stream or an export, as in the audit log: the id of a person or of a key, or `operator`; null if that was not
-- recorded. What a person created ends with them, or somebody else takes it over.
ALTER TABLE api_keys ADD COLUMN made_by text;
ALTER TABLE analytics_streams ADD COLUMN made_by text;
ALTER TABLE export_jobs ADD COLUMN made_by text;

CREATE INDEX api_keys_by_maker ON api_keys (made_by) WHERE made_by IS NOT NULL;

-- The audit log knows of what was created lately.
UPDATE api_keys SET made_by = audit_log.actor FROM audit_log
WHERE audit_log.organisation_id = api_keys.organisation_id AND audit_log.thing = api_keys.id
  AND audit_log.action = 'createKey' AND audit_log.outcome = 'done';
UPDATE analytics_streams SET made_by = audit_log.actor FROM audit_log
WHERE audit_log.thing = analytics_streams.id AND audit_log.action = 'createAnalyticsStream' AND audit_log.outcome = 'done';
UPDATE export_jobs SET made_by = audit_log.actor FROM audit_log
WHERE audit_log.organisation_id = export_jobs.organisation_id AND audit_log.thing = export_jobs.id
  AND audit_log.action IN ('startStaticExport', 'startProjectExport') AND audit_log.outcome = 'done';
