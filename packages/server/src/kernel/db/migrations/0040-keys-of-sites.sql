-- additive
-- The sites that an admin key is bound to; empty: all. The hash of such a key is stored with a prefix, so that a version which does not
-- know the sites finds no such key, instead of letting it act everywhere.
ALTER TABLE api_keys ADD COLUMN site_ids text[] NOT NULL DEFAULT '{}';
