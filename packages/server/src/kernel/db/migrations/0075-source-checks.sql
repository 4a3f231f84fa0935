-- additive
-- What else the check of a pull request says, and fails for: test questions that lose their answer; what Vale finds.
ALTER TABLE git_sources ADD COLUMN fails_on_answers boolean NOT NULL DEFAULT false;
ALTER TABLE git_sources ADD COLUMN vale text NOT NULL DEFAULT 'off';
