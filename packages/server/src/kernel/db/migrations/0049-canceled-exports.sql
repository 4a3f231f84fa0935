-- additive
-- Why an export ended that did not fail. Before, its error began with a word.
ALTER TABLE export_jobs ADD COLUMN end_reason text CHECK (end_reason = 'canceled');
UPDATE export_jobs SET end_reason = 'canceled' WHERE status = 'failed' AND error LIKE 'cancelled:%';
