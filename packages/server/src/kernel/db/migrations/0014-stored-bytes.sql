-- additive
-- What the blob store holds because of a deployment, for the quota of its organisation. Each number is set back to 0 when its files are
-- deleted, so that the sum over the rows is what is stored.
ALTER TABLE deployments
  -- The uploaded archive; 0 for a rebuild, which has none of its own.
  ADD COLUMN source_bytes bigint NOT NULL DEFAULT 0 CHECK (source_bytes >= 0),
  -- All files of the build; 0 where it failed.
  ADD COLUMN build_bytes bigint NOT NULL DEFAULT 0 CHECK (build_bytes >= 0),
  -- Files that the site's build before it had not; for a build that failed, what it left behind.
  ADD COLUMN added_bytes bigint NOT NULL DEFAULT 0 CHECK (added_bytes >= 0);

CREATE INDEX deployments_stored ON deployments (site_id) WHERE source_bytes > 0 OR added_bytes > 0;
