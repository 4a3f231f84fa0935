-- additive
-- Identifiers that an organization had before, the latest last; they still lead to it.
ALTER TABLE organizations ADD COLUMN former_slugs text[] NOT NULL DEFAULT '{}';
