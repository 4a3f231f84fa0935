-- additive
-- When the provider of an organization ends the session that it began, however much it is used.
ALTER TABLE user_sessions ADD COLUMN ends_at timestamptz(3);
