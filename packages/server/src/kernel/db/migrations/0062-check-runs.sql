-- additive
-- What was last said in a check run at GitHub, so that it is not said again.
ALTER TABLE pull_requests ADD COLUMN check_run text;
