-- additive
-- The person who created an organization and is accountable for what it uses: organizations of one person share their limits. Null if
-- the operator did; such an organization has limits of its own.
ALTER TABLE organisations ADD COLUMN created_by_user text;
CREATE INDEX organisations_created_by_user ON organisations (created_by_user);
-- Before this column, whoever created an organization became its owner at the very same time.
UPDATE organisations SET created_by_user = (
  SELECT members.user_id FROM members
  WHERE members.organisation_id = organisations.id AND members.role = 'owner' AND members.created_at = organisations.created_at
) WHERE NOT is_default;
