-- What the owners of a site decide about its assistant; an absent key means the default (core/assistant/assistant-settings.ts).
ALTER TABLE sites ADD COLUMN assistant_settings jsonb NOT NULL DEFAULT '{}';

-- How an answer ended, and how long it took; null on questions and on what was stored before.
ALTER TABLE messages
  ADD COLUMN outcome text CHECK (outcome IN ('answered', 'not_in_docs', 'aborted', 'failed')),
  ADD COLUMN first_text_ms integer CHECK (first_text_ms >= 0),
  ADD COLUMN duration_ms integer CHECK (duration_ms >= 0);
