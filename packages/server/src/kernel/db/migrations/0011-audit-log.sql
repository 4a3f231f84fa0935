-- additive
-- Who changed what, for the owners of an organisation. A row outlives the key and the thing that it names.
CREATE TABLE audit_log (
  id text PRIMARY KEY,
  organisation_id text NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  -- `operator` or the id of a key.
  actor text NOT NULL,
  action text NOT NULL,
  thing text,
  address text,
  outcome text NOT NULL CHECK (outcome IN ('done', 'refused', 'failed')),
  -- Of the error; null where it was done.
  code text
);

CREATE INDEX audit_log_newest ON audit_log (organisation_id, at DESC, id DESC);
CREATE INDEX audit_log_by_time ON audit_log (at);
