-- additive
-- Addresses and ranges from which members of an organization come in; empty: all.
ALTER TABLE organization_sign_ins ADD COLUMN allowed_addresses text[] NOT NULL DEFAULT '{}';
-- Whether its admin keys come from there alone, too.
ALTER TABLE organization_sign_ins ADD COLUMN limits_keys boolean NOT NULL DEFAULT false;
