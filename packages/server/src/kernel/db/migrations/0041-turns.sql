-- additive
-- What each account has used of the workers, in seconds, on a scale that all share: where its next turn begins (src/db/slots.ts).
CREATE TABLE turn_shares (
  kind text NOT NULL,
  -- id of the person who created the organization, or of the organization
  account text NOT NULL,
  used double precision NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, account)
);

-- Where the turn of a row begins on that scale; null while it waits.
ALTER TABLE deployments ADD COLUMN share double precision;
ALTER TABLE export_jobs ADD COLUMN share double precision;
CREATE INDEX ON deployments (share) WHERE share IS NOT NULL;
CREATE INDEX ON export_jobs (share) WHERE share IS NOT NULL;
