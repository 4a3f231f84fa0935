-- additive
-- How often a deployment was begun, and how many of these tries ended with an error. Tries of a process that was killed are
-- among the first only, so that they do not use up the few that an error has.
ALTER TABLE deployments
  ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0);
