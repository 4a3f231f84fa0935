-- additive
-- An admin who sees a site as a reader: the session ends with the one of the dashboard that began it.
ALTER TABLE reader_sessions ADD COLUMN viewer_session_id text REFERENCES user_sessions (id) ON DELETE CASCADE;
CREATE INDEX reader_sessions_of_viewer ON reader_sessions (viewer_session_id) WHERE viewer_session_id IS NOT NULL;
