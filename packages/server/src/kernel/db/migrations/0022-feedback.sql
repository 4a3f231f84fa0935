-- Not additive: what readers say of answers moves here from the messages.
-- What readers and agents say of pages, and readers of answers. Nothing in it says who they are.
CREATE TABLE feedback (
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Chosen by the page that sends it, so that a reader can complete what they said; of an answer, its own.
  id text NOT NULL,
  -- Set on what is about an answer.
  message_id text REFERENCES messages (id) ON DELETE CASCADE,
  -- Set on what readers of a preview said.
  preview_id text REFERENCES previews (id) ON DELETE CASCADE,
  source text NOT NULL CHECK (source IN ('contextual', 'thumbs_only', 'code_snippet', 'agent')),
  path text,
  version text NOT NULL DEFAULT '',
  language text NOT NULL DEFAULT '',
  -- Null where an agent did not say.
  helpful boolean,
  reason text,
  comment text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'in_progress', 'resolved', 'dismissed')),
  -- Of the owners, and who changed status or note last.
  note text,
  handled_by text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);

CREATE INDEX feedback_newest ON feedback (site_id, created_at DESC, id DESC);
CREATE INDEX feedback_by_page ON feedback (site_id, path);
CREATE INDEX feedback_by_age ON feedback (created_at) WHERE message_id IS NULL;
CREATE INDEX feedback_by_preview ON feedback (preview_id) WHERE preview_id IS NOT NULL;
CREATE UNIQUE INDEX feedback_by_message ON feedback (message_id) WHERE message_id IS NOT NULL;

INSERT INTO feedback (site_id, id, message_id, source, path, helpful, comment, created_at)
SELECT threads.site_id, answer.id, answer.id, CASE WHEN answer.comment IS NULL THEN 'thumbs_only' ELSE 'contextual' END,
  (SELECT asked.page_path FROM messages AS asked
    WHERE asked.thread_id = answer.thread_id AND asked.position < answer.position AND asked.role = 'user'
    ORDER BY asked.position DESC LIMIT 1),
  answer.helpful, answer.comment, answer.rated_at
FROM messages AS answer JOIN threads ON threads.id = answer.thread_id
WHERE answer.rated_at IS NOT NULL;

ALTER TABLE messages DROP COLUMN helpful, DROP COLUMN comment, DROP COLUMN rated_at;
