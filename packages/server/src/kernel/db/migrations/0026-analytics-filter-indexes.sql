-- additive
-- Finds what belongs to one source, campaign, device, machine or missing page, and the pages read with one browser.
DROP INDEX analytics_days_by_key;
CREATE INDEX analytics_days_by_key ON analytics_days (site_id, dimension, key, day)
  WHERE (scope = 'path' OR dimension = 'missing') AND dimension IN ('source', 'campaign', 'device', 'machine', 'missing');
CREATE INDEX analytics_days_by_detail ON analytics_days (site_id, dimension, detail, day)
  WHERE scope = 'path' AND dimension = 'device';
