-- What an export holds and how it is made, besides version and paths (core/exports/export-options.ts).
ALTER TABLE export_jobs
  ADD COLUMN options jsonb NOT NULL DEFAULT '{"omittedLinks": "live", "basePath": ""}',
  -- Pages that could not be exported; null until the job has completed.
  ADD COLUMN report jsonb,
  -- Queued without a place in the job queue, until the organisation has room for it.
  ADD COLUMN waiting boolean NOT NULL DEFAULT false,
  -- Which try holds the job: what another one brings is refused.
  ADD COLUMN run_id text,
  ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- Tries that ended with an error; those of a process that was killed are not among them.
  ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- Last sign of life of the try that holds the job.
  ADD COLUMN seen_at timestamptz(3),
  ADD COLUMN started_at timestamptz(3),
  ADD COLUMN ended_at timestamptz(3),
  -- Text of the `.minisig` file of the bundle, where the operator signs bundles.
  ADD COLUMN bundle_signature text,
  -- The bundle is kept for a time; the row stays.
  ADD COLUMN bundle_deleted_at timestamptz(3);

UPDATE export_jobs SET started_at = created_at WHERE status <> 'queued';
UPDATE export_jobs SET ended_at = updated_at WHERE status IN ('completed', 'failed');

CREATE INDEX export_jobs_kept ON export_jobs (ended_at) WHERE status = 'completed' AND bundle_deleted_at IS NULL;
