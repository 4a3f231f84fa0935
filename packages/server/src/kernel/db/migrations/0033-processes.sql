-- additive
-- The processes of the platform that were alive lately, and the newest number of each stored form that each reads: what one of them
-- cannot read is not written.
CREATE TABLE processes (
  id text PRIMARY KEY,
  version text NOT NULL,
  -- { "<form>": <number> }
  reads jsonb NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  seen_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The newest number of each form that was ever written, and by which version: one that cannot read it does not start.
CREATE TABLE stored_forms (
  name text PRIMARY KEY,
  number integer NOT NULL,
  version text NOT NULL,
  written_at timestamptz(3) NOT NULL DEFAULT now()
);
