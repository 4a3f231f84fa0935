-- additive
-- The names of what an entry is about, as they were at the time: they outlive the things.
ALTER TABLE audit_log
  ADD COLUMN actor_name text,
  -- 'person', 'key' or 'operator'.
  ADD COLUMN actor_kind text,
  ADD COLUMN thing_name text,
  ADD COLUMN site_id text,
  ADD COLUMN site_name text,
  -- The changed properties: [{ field, before, after }]; never secrets.
  ADD COLUMN changes jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN request_id text;

-- Entries from before get the names that are still known.
UPDATE audit_log SET actor_kind = 'operator' WHERE actor = 'operator';
UPDATE audit_log SET actor_kind = 'person', actor_name = users.name FROM users WHERE users.id = audit_log.actor;
UPDATE audit_log SET actor_kind = 'key', actor_name = api_keys.name FROM api_keys WHERE api_keys.id = audit_log.actor;
UPDATE audit_log SET site_id = sites.id, site_name = sites.name FROM sites
  WHERE sites.organisation_id = audit_log.organisation_id AND (sites.id = audit_log.thing OR sites.slug = audit_log.thing);
UPDATE audit_log SET site_id = sites.id, site_name = sites.name FROM deployments JOIN sites ON sites.id = deployments.site_id
  WHERE sites.organisation_id = audit_log.organisation_id AND deployments.id = audit_log.thing;
UPDATE audit_log SET site_id = sites.id, site_name = sites.name FROM export_jobs JOIN sites ON sites.id = export_jobs.site_id
  WHERE sites.organisation_id = audit_log.organisation_id AND export_jobs.id = audit_log.thing;
UPDATE audit_log SET thing_name = api_keys.name, site_id = api_keys.site_id FROM api_keys
  WHERE api_keys.organisation_id = audit_log.organisation_id AND api_keys.id = audit_log.thing;
UPDATE audit_log SET thing_name = users.name FROM users JOIN members ON members.user_id = users.id
  WHERE members.organisation_id = audit_log.organisation_id AND users.id = audit_log.thing;
UPDATE audit_log SET thing_name = invitations.email FROM invitations
  WHERE invitations.organisation_id = audit_log.organisation_id AND invitations.id = audit_log.thing;

CREATE INDEX audit_log_by_site ON audit_log (organisation_id, site_id, at DESC, id DESC);
