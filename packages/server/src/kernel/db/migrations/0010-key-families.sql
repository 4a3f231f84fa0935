-- additive
-- Which key a key was created with, so that revoking one revokes those that it created; and whether it may create any. An older
-- version writes null there: `write` included it then.
ALTER TABLE api_keys
  ADD COLUMN created_by text REFERENCES api_keys (id) ON DELETE SET NULL,
  ADD COLUMN may_create_keys boolean;

CREATE INDEX api_keys_by_creator ON api_keys (created_by) WHERE created_by IS NOT NULL;
