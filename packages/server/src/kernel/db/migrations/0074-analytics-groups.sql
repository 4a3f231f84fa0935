-- additive
-- JSON of the groups of a reader who signed in, by which pages are restricted; empty without any.
ALTER TABLE analytics_events ADD COLUMN groups text NOT NULL DEFAULT '';
