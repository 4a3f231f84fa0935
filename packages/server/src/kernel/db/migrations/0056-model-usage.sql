-- additive
-- Tokens that language models used for the answers of a site, for its limit of a day.
CREATE TABLE model_usage (
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- UTC, as YYYY-MM-DD.
  day text NOT NULL,
  model text NOT NULL,
  answers integer NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (site_id, day, model)
);

CREATE INDEX model_usage_by_day ON model_usage (day);
