-- additive
-- The highest plan that owners can choose, which the operator grants. Without a grant they can only choose a lower plan.
ALTER TABLE organisations ADD COLUMN highest_plan text NOT NULL DEFAULT 'free';
UPDATE organisations SET highest_plan = plan;
