-- additive
-- Where the analytics events of a site are sent.
CREATE TABLE analytics_streams (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- The address of a webhook, or the place in a bucket; no secrets.
  target jsonb NOT NULL,
  -- Encrypted with a key that is derived from the secret of the server.
  secret text NOT NULL,
  -- Signs beside the new one after a rotation.
  former_secret text,
  former_until timestamptz(3),
  -- Every event up to this number was delivered, or dropped because it expired.
  last_event bigint NOT NULL,
  -- Last event of the batch that is being delivered, so that a retry sends the same batch.
  batch_until bigint,
  delivered bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  -- In a row.
  failures integer NOT NULL DEFAULT 0,
  last_delivered_at timestamptz(3),
  last_error text,
  last_error_at timestamptz(3),
  -- When the next batch is due. Put off while a job works on the stream.
  deliver_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE INDEX analytics_streams_by_site ON analytics_streams (site_id);
CREATE INDEX analytics_streams_due ON analytics_streams (deliver_at) WHERE enabled;
