import { type Actor, PLANS, type Plan, requirePermission } from '../../core/access/may.ts';
import { organisationSlugFrom } from '../../core/access/site-name.ts';
import { DocentError } from '../../core/errors.ts';
import { insertMember } from '../../db/members.ts';
import {
  deleteOrganisation as deleteOrganisationRow,
  findOrganisation,
  insertOrganisation,
  type OrganisationRow,
  updateOrganisation,
} from '../../db/organisations.ts';
import { lockOrganisation } from '../../db/slots.ts';
import { isUniqueViolation } from '../../ports/database.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import { deleteSite } from '../sites/delete-site.ts';
import { organisationTaken, requireFreeSlug } from './setup.ts';

type OrganisationDeps = Pick<Deps, 'database' | 'clock' | 'keyCache'>;

/** Returns the organization that the actor acts in. */
export async function readOrganisation({ database }: OrganisationDeps, actor: Actor): Promise<OrganisationRow> {
  requirePermission(actor, 'organisation.read');
  const found = await findOrganisation(database.queries, actor.organisationId);
  if (!found) throw new DocentError('organisation_not_found', 'The organization was deleted.');
  return found;
}

export interface OrganisationChanges {
  name?: string | undefined;
  slug?: string | undefined;
  twoFactorRequired?: boolean | undefined;
  plan?: Plan | undefined;
}

/**
 * @param isExpected returns whether the organization is as the actor knows it; called while it is locked
 * @throws DocentError `role_missing`; `operator_required` for a plan above the highest one; `invalid_request`, `organisation_exists`, `precondition_failed`
 */
export async function changeOrganisation(
  deps: OrganisationDeps,
  actor: Actor,
  changes: OrganisationChanges,
  isExpected: (organisation: OrganisationRow) => boolean,
): Promise<OrganisationRow> {
  requirePermission(actor, 'organisation.write');
  if (changes.plan !== undefined) requirePermission(actor, 'owners.write');
  if (changes.slug !== undefined) await requireFreeSlug(deps, changes.slug, actor.organisationId);
  const change = deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganisation(transaction, actor.organisationId);
    const found = await findOrganisation(transaction, actor.organisationId);
    if (found && !isExpected(found))
      throw new DocentError(
        'precondition_failed',
        'The organization was changed in the meantime; get it again, then repeat the change.',
      );
    const granted = actor.kind === 'operator' ? changes.plan : undefined;
    if (found && changes.plan !== undefined && granted === undefined) requireAllowedPlan(found, changes.plan);
    await updateOrganisation(transaction, actor.organisationId, { ...changes, highestPlan: granted }, deps.clock.now());
  });
  await change.catch((error: unknown) => {
    throw changes.slug !== undefined && isUniqueViolation(error) ? organisationTaken(changes.slug) : error;
  });
  if (changes.plan !== undefined) deps.keyCache.invalidateOrganisation(actor.organisationId);
  return readOrganisation(deps, actor);
}

function requireAllowedPlan({ plan, highestPlan }: OrganisationRow, wanted: Plan): void {
  if (wanted === plan || PLANS.indexOf(wanted) <= PLANS.indexOf(highestPlan)) return;
  throw new DocentError(
    'operator_required',
    `The highest plan that an owner of this organization can choose is "${highestPlan}"; ask the operator of the server for a higher one.`,
  );
}

/**
 * Creates another organization, owned by the actor if that is a person.
 * @throws DocentError `role_missing`, `invalid_request`, `organisation_exists`
 */
export async function createOrganisation(
  deps: OrganisationDeps,
  actor: Actor,
  { name, slug = organisationSlugFrom(name) ?? '' }: { name: string; slug?: string | undefined },
): Promise<OrganisationRow> {
  requirePermission(actor, 'owners.write');
  await requireFreeSlug(deps, slug);
  const { plan, highestPlan } = await readOrganisation(deps, actor);
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  await deps.database.queries.transaction().execute(async (transaction) => {
    if (!(await insertOrganisation(transaction, { id, slug, name, plan, highestPlan, createdAt }))) throw organisationTaken(slug);
    if (actor.kind === 'member')
      await insertMember(transaction, { organisationId: id, userId: actor.userId, role: 'owner', createdAt });
  });
  return (await findOrganisation(deps.database.queries, id)) as OrganisationRow;
}

/**
 * Deletes the actor's organization with everything in it. Accounts of people stay.
 * @param confirm must be the identifier of the organization
 * @throws DocentError `role_missing`; `invalid_request` without the confirmation
 */
export async function deleteOrganisation(
  deps: OrganisationDeps & Parameters<typeof deleteSite>[0],
  actor: Actor,
  confirm: string | undefined,
): Promise<void> {
  requirePermission(actor, 'owners.write');
  const { id, slug } = await readOrganisation(deps, actor);
  if (confirm !== slug) {
    const message = `Must be the identifier of the organization, "${slug}".`;
    throw new DocentError('invalid_request', `To delete the organization with everything in it, send confirm=${slug}.`, {
      errors: [{ path: '/confirm', message }],
    });
  }
  const { queries } = deps.database;
  const sites = await queries.selectFrom('sites').select('slug').where('organisation_id', '=', id).execute();
  for (const site of sites) await deleteSite(deps, actor, site.slug, site.slug);
  await deleteOrganisationRow(queries, id);
  deps.keyCache.invalidateOrganisation(id);
}
