-- What the reader said of an answer; null where they said nothing, and on questions.
ALTER TABLE messages ADD COLUMN helpful boolean;
