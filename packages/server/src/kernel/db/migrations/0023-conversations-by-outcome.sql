-- additive: finds conversations by a rare outcome without reading every message of a site.
CREATE INDEX messages_by_outcome ON messages (outcome, thread_id) WHERE role = 'assistant';
