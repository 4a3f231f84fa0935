-- additive
-- Who reads the previews of pull requests: 'none' makes none, 'public', or 'members'.
ALTER TABLE git_sources ADD COLUMN previews text NOT NULL DEFAULT 'none';
-- Whose pull requests from forks get a preview unasked: 'all', 'members' or, each after approval, 'approval'.
ALTER TABLE git_sources ADD COLUMN forks text NOT NULL DEFAULT 'approval';
-- When a webhook last told of a pull request; refs are not listed after that.
ALTER TABLE git_sources ADD COLUMN pulls_told_at timestamptz(3);
-- The largest number when refs were first listed; null before. Nothing says which of those are open.
ALTER TABLE git_sources ADD COLUMN pulls_above integer;

CREATE TABLE pull_requests (
  id text PRIMARY KEY,
  source_id text NOT NULL REFERENCES git_sources (id) ON DELETE CASCADE,
  number integer NOT NULL,
  -- What is fetched: a branch of the repository itself, or what its server keeps for a fork.
  ref text NOT NULL,
  title text NOT NULL,
  author text,
  -- Whether the server of the repository counts the author among its people.
  is_member boolean NOT NULL,
  is_open boolean NOT NULL,
  -- Commit of the ref when it was last looked at, and the one that somebody approved.
  head_sha text,
  approved_sha text,
  -- Commit and content of the folder that were deployed last, or that change nothing.
  seen_sha text,
  seen_tree text,
  -- 'new', 'previewed', 'waiting' for approval, or 'unchanged'.
  state text NOT NULL,
  preview_id text REFERENCES previews (id) ON DELETE SET NULL,
  last_error text,
  -- The time in the newest message about it, which older ones do not change.
  told_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (source_id, number)
);

CREATE INDEX pull_requests_by_preview ON pull_requests (preview_id) WHERE preview_id IS NOT NULL;

CREATE INDEX git_sources_by_check ON git_sources (check_at) WHERE automatic OR previews <> 'none';
