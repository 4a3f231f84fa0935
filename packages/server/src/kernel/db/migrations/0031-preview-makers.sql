-- additive
-- Who created a preview, as in the audit log; null for those of a version that did not record it.
ALTER TABLE previews ADD COLUMN created_by text;
-- Only members of the organization may read it. Such a preview also has a password that nobody knows, so that a version that does not
-- know this column keeps it closed.
ALTER TABLE previews ADD COLUMN members_only boolean NOT NULL DEFAULT false;
