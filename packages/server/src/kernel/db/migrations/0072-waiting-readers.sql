-- additive
-- Readers who left an address to be told when a question is answered. A row ends with its message, its answer, or by its time.
CREATE TABLE waiting_readers (
  message_id text PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
  site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Encrypted.
  address text NOT NULL,
  -- Names the address on this site for whoever has the mail.
  address_key text NOT NULL,
  -- The page that answers, once there is one.
  page text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX waiting_readers_of_site ON waiting_readers (site_id, address_key);
CREATE INDEX waiting_readers_by_end ON waiting_readers (expires_at);
