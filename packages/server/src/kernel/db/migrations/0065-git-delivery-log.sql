-- additive
-- What became of the deliveries of webhooks, for those who look for a push that is not live. Neither their bodies nor signatures.
CREATE TABLE git_delivery_log (
  id text PRIMARY KEY,
  source_id text NOT NULL REFERENCES git_sources (id) ON DELETE CASCADE,
  -- As the sender names them; null without a name.
  delivery_id text,
  event text,
  -- The pull request that it is about; null for a push.
  pull_number integer,
  -- 'accepted' until the repository was looked at, then 'deployed', 'ignored' or 'failed'; or 'ignored', 'repeated' or 'refused' at once.
  outcome text NOT NULL,
  -- Why nothing was deployed.
  reason text,
  received_at timestamptz(3) NOT NULL
);

CREATE INDEX git_delivery_log_by_source ON git_delivery_log (source_id, received_at DESC, id DESC);
CREATE INDEX git_delivery_log_by_time ON git_delivery_log (received_at);

-- When a look found a pull request open; a message from before that does not close it.
ALTER TABLE pull_requests ADD COLUMN seen_open_at timestamptz(3);
