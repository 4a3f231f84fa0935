-- Where a question was asked and by what, and when and in which words its reader said something of the answer.
ALTER TABLE messages
  -- Of questions; null where the caller did not say, and on what was stored before.
  ADD COLUMN page_path text,
  -- Of questions; null on what was stored before.
  ADD COLUMN caller text CHECK (caller IN ('web', 'api')),
  ADD COLUMN rated_at timestamptz(3),
  ADD COLUMN comment text;

-- When it was said was not kept until now; it was not before the answer.
UPDATE messages SET rated_at = created_at WHERE helpful IS NOT NULL;

ALTER TABLE messages ADD CHECK ((helpful IS NULL) = (rated_at IS NULL)), ADD CHECK (comment IS NULL OR rated_at IS NOT NULL);

CREATE INDEX messages_rated ON messages (rated_at DESC, id DESC) WHERE rated_at IS NOT NULL;
CREATE INDEX messages_answers ON messages (created_at DESC, id DESC) WHERE role = 'assistant';
CREATE INDEX threads_begun ON threads (site_id, created_at DESC, id DESC);
