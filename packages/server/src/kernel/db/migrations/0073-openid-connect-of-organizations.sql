-- additive
-- The OpenID Connect provider of an organization for its people, in place of one of SAML; null: none.
ALTER TABLE organization_sign_ins ADD COLUMN oidc jsonb;
