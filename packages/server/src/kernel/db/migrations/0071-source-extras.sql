-- additive
-- What is fetched besides the files of a repository: those of submodules, with the hosts that they may be at, and the content of files in Git LFS.
ALTER TABLE git_sources ADD COLUMN submodules boolean NOT NULL DEFAULT false;
ALTER TABLE git_sources ADD COLUMN submodule_hosts text[] NOT NULL DEFAULT '{}';
ALTER TABLE git_sources ADD COLUMN lfs boolean NOT NULL DEFAULT false;
