-- additive
-- When a look last found something new; null before. Where nothing changes, looks are less frequent.
ALTER TABLE git_sources ADD COLUMN news_at timestamptz(3);
