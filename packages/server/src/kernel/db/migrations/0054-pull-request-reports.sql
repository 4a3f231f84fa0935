-- additive
-- What makes the check of a pull request fail: 'builds', 'errors', 'links' or 'warnings'.
ALTER TABLE git_sources ADD COLUMN fails_on text NOT NULL DEFAULT 'errors';
-- The comment at the server of the repository that tells of the preview; null before the first.
ALTER TABLE pull_requests ADD COLUMN comment_id text;
-- Why the server of the repository did not take the last report; null if it did.
ALTER TABLE pull_requests ADD COLUMN report_error text;
