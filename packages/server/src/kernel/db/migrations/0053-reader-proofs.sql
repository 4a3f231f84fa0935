-- additive
-- Tokens with which readers signed in, until they expire, so that none is used again.
CREATE TABLE reader_proofs (
  -- A hash, with the site.
  id text PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
);

CREATE INDEX reader_proofs_by_end ON reader_proofs (expires_at);
