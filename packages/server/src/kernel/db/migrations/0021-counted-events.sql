-- Not additive: figures are kept up to the last counted event instead of being made of whole days.
-- The last event that the figures contain. Those after it are counted when figures are read, and added every minute.
CREATE TABLE analytics_counted (last_event bigint NOT NULL);

-- Events of days without figures come after it.
INSERT INTO analytics_counted SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM analytics_event_ids;
DELETE FROM analytics_days WHERE day NOT IN (SELECT day FROM analytics_rolled_days)
  AND day IN (SELECT DISTINCT (at AT TIME ZONE 'UTC')::date FROM analytics_events);
UPDATE analytics_events SET id = nextval('analytics_event_ids')
  WHERE (at AT TIME ZONE 'UTC')::date NOT IN (SELECT day FROM analytics_rolled_days);
DROP TABLE analytics_rolled_days;

CREATE INDEX analytics_events_by_id ON analytics_events (id);
CREATE INDEX analytics_events_by_visitor ON analytics_events (site_id, visitor, at);

-- One row for each figure, so that counts can be added to it. The digest is of the texts, which are too long for an index.
ALTER TABLE analytics_days ADD COLUMN digest bytea;
UPDATE analytics_days SET digest = substr(sha256(convert_to(ROW(path, version, language, key, detail)::text, 'UTF8')), 1, 16);
ALTER TABLE analytics_days ALTER COLUMN digest SET NOT NULL;
ALTER TABLE analytics_days SET (fillfactor = 80);
DROP INDEX analytics_days_by_scope;
CREATE UNIQUE INDEX analytics_days_by_figure ON analytics_days (site_id, dimension, scope, day, digest);
