-- additive
-- Where events of an organization are sent.
CREATE TABLE webhooks (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- Null: events of all sites.
  site_id text REFERENCES sites (id) ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  -- 'standard', 'slack' or 'teams'.
  format text NOT NULL,
  events text[] NOT NULL,
  enabled boolean NOT NULL,
  -- Signs deliveries, encrypted. The former one signs too for a day after it was replaced.
  secret text NOT NULL,
  former_secret text,
  former_until timestamptz(3),
  made_by text,
  created_at timestamptz(3) NOT NULL
);

CREATE INDEX webhooks_by_organization ON webhooks (organization_id, created_at DESC, id DESC);

CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- The same in each attempt, and when it is sent again.
  message_id text NOT NULL,
  event text NOT NULL,
  message jsonb NOT NULL,
  -- 'pending', 'delivered', 'failed' or 'canceled'.
  state text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Of the last answer.
  status integer,
  answer text,
  error text,
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at);
