-- additive
-- What readers and machines read. Events are kept for some weeks and then live on as figures of days.
CREATE TABLE analytics_salts (
  -- UTC. Deleted after 48 hours; then nobody can tell again whose event is whose.
  day date PRIMARY KEY,
  salt text NOT NULL
);

CREATE SEQUENCE analytics_event_ids AS bigint;

-- One partition for each UTC day, made when its first event comes. The columns are those of `core/analytics/analytics-event.ts`.
CREATE TABLE analytics_events (
  id bigint NOT NULL DEFAULT nextval('analytics_event_ids'),
  site_id text NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  class text NOT NULL,
  agent text NOT NULL,
  visitor bigint NOT NULL,
  path text NOT NULL,
  version text NOT NULL,
  language text NOT NULL,
  name text NOT NULL,
  target text NOT NULL,
  source text NOT NULL,
  campaign text NOT NULL,
  device text NOT NULL,
  browser text NOT NULL,
  amount integer NOT NULL,
  position integer NOT NULL
) PARTITION BY RANGE (at);

CREATE INDEX analytics_events_by_site ON analytics_events (site_id, at, id);

-- Figures of a day by one dimension and for one scope: all of the site, a version, a language, both, or a page.
CREATE TABLE analytics_days (
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  day date NOT NULL,
  dimension text NOT NULL,
  scope text NOT NULL,
  path text NOT NULL,
  version text NOT NULL,
  language text NOT NULL,
  key text NOT NULL,
  detail text NOT NULL,
  events bigint NOT NULL,
  human bigint NOT NULL,
  ai bigint NOT NULL,
  visitors bigint NOT NULL,
  human_visitors bigint NOT NULL,
  ai_visitors bigint NOT NULL,
  opened bigint NOT NULL,
  empty bigint NOT NULL,
  refined bigint NOT NULL,
  amount bigint NOT NULL,
  last_at timestamptz NOT NULL
);

CREATE INDEX analytics_days_by_scope ON analytics_days (site_id, dimension, scope, day);
CREATE INDEX analytics_days_by_path ON analytics_days (site_id, dimension, path, day) WHERE scope = 'path';
CREATE INDEX analytics_days_by_day ON analytics_days (day);

-- Days whose figures are complete.
CREATE TABLE analytics_rolled_days (day date PRIMARY KEY);

-- What is not there has its default.
ALTER TABLE sites ADD COLUMN analytics_settings jsonb NOT NULL DEFAULT '{}';
