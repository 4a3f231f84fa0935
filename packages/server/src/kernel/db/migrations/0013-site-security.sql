-- additive
-- What the owners of a site decide about browsers that show it; an absent key means the default (core/access/site-security.ts).
ALTER TABLE sites ADD COLUMN security jsonb NOT NULL DEFAULT '{}';
