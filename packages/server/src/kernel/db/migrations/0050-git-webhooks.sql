-- additive
-- Signs what the server of a repository sends, encrypted; null until somebody asks for it.
ALTER TABLE git_sources ADD COLUMN webhook_secret text;
ALTER TABLE git_sources ADD COLUMN webhook_at timestamptz(3);

-- Deliveries that were accepted, so that none is accepted again.
CREATE TABLE git_deliveries (
  source_id text NOT NULL REFERENCES git_sources (id) ON DELETE CASCADE,
  delivery_id text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  PRIMARY KEY (source_id, delivery_id)
);

CREATE INDEX git_deliveries_by_time ON git_deliveries (received_at);
