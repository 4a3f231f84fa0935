-- additive
-- How far an answer covers its question, beside the two words that the previous version reads. Null on older answers.
ALTER TABLE messages
  ADD COLUMN coverage text CHECK (coverage IN ('answered', 'partly', 'not_in_docs', 'refused'));
-- Finds conversations by a rare outcome without reading every message of a site; the expression is that of `outcomeOf`.
CREATE INDEX messages_by_coverage
  ON messages ((CASE WHEN outcome IN ('aborted', 'failed') THEN outcome ELSE coalesce(coverage, 'unknown') END), thread_id)
  WHERE role = 'assistant';
