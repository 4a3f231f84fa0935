-- additive
-- Of questions: version and language of the page on which they were asked, or that the caller asked for.
ALTER TABLE messages ADD COLUMN page_version text, ADD COLUMN page_language text;

-- Finds the pages that belong to one source, device or machine.
CREATE INDEX analytics_days_by_key ON analytics_days (site_id, dimension, key, day)
  WHERE scope = 'path' AND dimension IN ('source', 'device', 'machine');
