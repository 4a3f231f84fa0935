-- additive
-- Failed sign-ins before this time no longer count: the password was reset since, or the operator unlocked the account.
ALTER TABLE users ADD COLUMN sign_ins_counted_from timestamptz(3);
