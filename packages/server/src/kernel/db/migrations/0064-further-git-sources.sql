-- additive
-- A site may have further sources, each below a path of its own. Their site_id is null, so that a version without them sees the base alone.
ALTER TABLE git_sources ALTER COLUMN site_id DROP NOT NULL;
ALTER TABLE git_sources ADD COLUMN part_of text REFERENCES sites (id) ON DELETE CASCADE;
ALTER TABLE git_sources ADD COLUMN path text NOT NULL DEFAULT '';
CREATE UNIQUE INDEX git_sources_by_path ON git_sources (part_of, path);

-- Of a site of several sources: the ref of each, and its commit once it is fetched.
ALTER TABLE deployments ADD COLUMN git_parts jsonb;
