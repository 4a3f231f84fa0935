-- additive
-- What an answer is based on: the searches and the sections that it read, at most 8 KB. Null on questions and on older answers.
ALTER TABLE messages ADD COLUMN basis jsonb;
