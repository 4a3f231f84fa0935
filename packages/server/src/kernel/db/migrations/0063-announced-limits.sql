-- additive
-- Limits whose reaching was sent to webhooks, by organization, site and day.
CREATE TABLE announced_limits (
  id text PRIMARY KEY,
  announced_at timestamptz(3) NOT NULL
);
