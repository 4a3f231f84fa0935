-- additive
-- The American spelling everywhere. The former names stay until no process of a version before this step can run: triggers keep both
-- columns equal, and a view has the former name of the table.
ALTER TABLE organisations RENAME TO organizations;
CREATE VIEW organisations AS SELECT * FROM organizations;

CREATE FUNCTION keep_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.organization_id IS NOT DISTINCT FROM OLD.organization_id THEN
    NEW.organization_id := NEW.organisation_id;
  END IF;
  NEW.organization_id := coalesce(NEW.organization_id, NEW.organisation_id);
  NEW.organisation_id := NEW.organization_id;
  RETURN NEW;
END $$;

DO $$
DECLARE
  owner text;
BEGIN
  FOREACH owner IN ARRAY ARRAY['sites', 'api_keys', 'export_jobs', 'audit_log', 'members', 'invitations', 'reserved_slugs'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN organization_id text', owner);
    EXECUTE format('UPDATE %I SET organization_id = organisation_id', owner);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN organization_id SET NOT NULL', owner);
    EXECUTE format('CREATE TRIGGER keep_organization BEFORE INSERT OR UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION keep_organization()', owner);
    -- The identifiers of a deleted organization stay reserved.
    CONTINUE WHEN owner = 'reserved_slugs';
    EXECUTE format('ALTER TABLE %I ADD FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE', owner);
  END LOOP;
END $$;

CREATE INDEX sites_by_organization ON sites (organization_id, created_at);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at);
CREATE INDEX export_jobs_by_organization ON export_jobs (organization_id, created_at DESC, id DESC);
CREATE INDEX audit_log_newest_first ON audit_log (organization_id, at DESC, id DESC);
CREATE INDEX audit_log_of_site ON audit_log (organization_id, site_id, at DESC, id DESC);
CREATE UNIQUE INDEX export_jobs_idempotency ON export_jobs (organization_id, idempotency_key);
CREATE UNIQUE INDEX members_of_organization ON members (organization_id, user_id);
CREATE UNIQUE INDEX invitations_of_organization ON invitations (organization_id, email);

-- The operations and errors that the audit log names.
UPDATE audit_log
SET action = replace(action, 'rganisation', 'rganization'), code = replace(code, 'organisation', 'organization')
WHERE action LIKE '%rganisation%' OR code LIKE 'organisation%';
