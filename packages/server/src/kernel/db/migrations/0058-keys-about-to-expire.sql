-- additive
-- When webhooks were sent that the key is about to expire.
ALTER TABLE api_keys ADD COLUMN expiry_sent_at timestamptz(3);
