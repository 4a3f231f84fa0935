-- additive
-- Host names that sites ask for, and what DNS said about them. `site_hostnames` holds those that lead to a site: a name comes there
-- when it is proven or approved. What was there before proofs were asked for counts as approved.
CREATE TABLE hostname_claims (
  hostname text NOT NULL CHECK (hostname = lower(hostname)),
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  token text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'verified', 'failed')),
  -- Verified without a proof, so DNS cannot take it away.
  approved boolean NOT NULL DEFAULT false,
  -- Records that the last check saw.
  found jsonb NOT NULL DEFAULT '[]',
  problem text,
  -- When it began to wait for a proof.
  pending_since timestamptz(3) NOT NULL,
  proven_at timestamptz(3),
  checked_at timestamptz(3),
  -- When it is checked next; null where nothing is due by itself.
  check_at timestamptz(3),
  PRIMARY KEY (hostname, site_id)
);

CREATE INDEX hostname_claims_by_site ON hostname_claims (site_id);
CREATE INDEX hostname_claims_due ON hostname_claims (check_at) WHERE check_at IS NOT NULL;

INSERT INTO hostname_claims (hostname, site_id, token, status, approved, pending_since)
SELECT hostname, site_id, replace(gen_random_uuid()::text, '-', ''), 'verified', true, now() FROM site_hostnames;
