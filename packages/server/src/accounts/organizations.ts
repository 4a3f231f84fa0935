import { randomBytes } from 'node:crypto';
import { limitsFrom, pastLimit } from '@docent/format/access/limits.ts';
import {
  type Actor,
  actorId,
  PLANS,
  type Plan,
  requirePermission,
} from '@docent/format/access/may.ts';
import { isOrganizationSlug, organizationSlugFrom } from '@docent/format/access/site-name.ts';
import { DocentError } from '@docent/format/errors.ts';
import { ensureDefaultOrganization } from '../kernel/access/default-organization.ts';
import { hasUsers, insertMember } from '../kernel/access/member-queries.ts';
import {
  countOrganizationsBy,
  deleteOrganization as deleteOrganizationRow,
  findOrganization,
  insertOrganization,
  listOrganizations,
  listSetupTokens,
  lockOrganizationsBy,
  type OrganizationRow,
  replaceSetupTokens,
  takeSetupTokens,
  updateOrganization,
} from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, hashSecret, isSecret } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { byCreation, type PageRequest, readPage } from '../kernel/list-pages.ts';
import type { AccountUser } from '../ports/accounts.ts';
import { isUniqueViolation, type QueryRunner } from '../ports/database.ts';
import { deleteSite, requireConfirmation } from '../sites/manage-sites.ts';

type OrganizationDeps = Pick<Deps, 'database' | 'clock' | 'keyCache'>;
type CreationDeps = OrganizationDeps & Pick<Deps, 'config' | 'limiter'>;

/** Returns the organizations of the server, for its operator, oldest first. */
export async function listAllOrganizations(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  request: PageRequest,
) {
  requirePermission(actor, 'organizations.read');
  return readPage(request, (slice) => listOrganizations(database.queries, slice), byCreation);
}

/** Returns the organization that the actor acts in. */
export async function readOrganization(
  { database }: OrganizationDeps,
  actor: Actor,
): Promise<OrganizationRow> {
  requirePermission(actor, 'organization.read');
  const organization = await findOrganization(database.queries, actor.organizationId);
  if (!organization)
    throw new DocentError('organization_not_found', 'The organization was deleted.');
  return organization;
}

/** Number of former identifiers that lead to an organization. */
const MAX_FORMER_SLUGS = 10;

type OrganizationChanges = Partial<
  Pick<OrganizationRow, 'name' | 'slug' | 'twoFactorRequired' | 'plan'>
>;

/**
 * @param isExpected returns whether the organization is as the actor knows it; called while it is
 *   locked
 * @throws DocentError `role_missing`; `operator_required` for a plan above the highest one;
 *   `invalid_request`, `organization_exists`, `precondition_failed`
 */
export async function changeOrganization(
  deps: OrganizationDeps,
  actor: Actor,
  changes: OrganizationChanges,
  isExpected: (organization: OrganizationRow) => boolean,
): Promise<OrganizationRow> {
  requirePermission(actor, 'organization.write');
  if (changes.plan !== undefined) requirePermission(actor, 'owners.write');
  if (changes.slug !== undefined) await requireFreeSlug(deps, changes.slug, actor.organizationId);
  const change = deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, actor.organizationId);
    const currentOrganization = await findOrganization(transaction, actor.organizationId);
    if (currentOrganization && !isExpected(currentOrganization)) {
      const message =
        'The organization was changed in the meantime; get it again, then repeat the change.';
      throw new DocentError('precondition_failed', message);
    }
    const granted = actor.kind === 'operator' ? changes.plan : undefined;
    if (currentOrganization && changes.plan !== undefined && granted === undefined)
      requireAllowedPlan(currentOrganization, changes.plan);
    await updateOrganization(
      transaction,
      actor.organizationId,
      {
        ...changes,
        highestPlan: granted,
        formerSlugs: currentOrganization && formerSlugsAfter(currentOrganization, changes.slug),
      },
      deps.clock.now(),
    );
  });
  await change.catch((error: unknown) => {
    throw changes.slug !== undefined && isUniqueViolation(error)
      ? organizationTaken(changes.slug)
      : error;
  });
  if (changes.plan !== undefined) deps.keyCache.invalidateOrganization(actor.organizationId);
  return readOrganization(deps, actor);
}

/** An identifier that an organization returns to is no former one. */
function formerSlugsAfter(
  { slug, formerSlugs }: OrganizationRow,
  newSlug = slug,
): string[] | undefined {
  if (newSlug === slug) return undefined;
  return [...formerSlugs.filter((former) => former !== newSlug), slug].slice(-MAX_FORMER_SLUGS);
}

function requireAllowedPlan({ plan, highestPlan }: OrganizationRow, requestedPlan: Plan): void {
  if (requestedPlan === plan || PLANS.indexOf(requestedPlan) <= PLANS.indexOf(highestPlan)) return;
  throw new DocentError(
    'operator_required',
    `The highest plan that an owner of this organization can choose is "${highestPlan}"; ask the operator of the server for a higher one.`,
  );
}

/**
 * Creates another organization. A person owns it, is accountable for what it uses, and as an owner
 * hands on the plan.
 * @throws DocentError `operator_required` where only the operator creates organizations;
 *   `wrong_key_kind`, `role_missing`,
 *   `rate_limited`, `quota_exceeded`, `invalid_request`, `organization_exists`
 */
export async function createOrganization(
  deps: CreationDeps,
  actor: Actor,
  { name, slug = organizationSlugFrom(name) ?? '' }: { name: string; slug?: string | undefined },
): Promise<OrganizationRow> {
  requirePermission(actor, 'organizations.write');
  const userId = actor.kind === 'member' ? actor.userId : null;
  if (userId !== null) requireMembersCreate(deps);
  await requireFreeSlug(deps, slug);
  if (userId !== null) await countCreation(deps, userId);
  const { plan, highestPlan } = plansFor(actor, await readOrganization(deps, actor));
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  const row = { id, slug, name, plan, highestPlan, createdByUser: userId, createdAt };
  await deps.database.queries.transaction().execute(async (transaction) => {
    if (userId !== null) await requireRoomForOrganization(deps, transaction, userId);
    if (!(await insertOrganization(transaction, row))) throw organizationTaken(slug);
    if (userId !== null)
      await insertMember(transaction, { organizationId: id, userId, role: 'owner', createdAt });
  });
  return (await findOrganization(deps.database.queries, id)) as OrganizationRow;
}

/** A plan is granted to an organization; only its owners can hand it on. */
function plansFor(
  actor: Actor,
  { plan, highestPlan }: OrganizationRow,
): Pick<OrganizationRow, 'plan' | 'highestPlan'> {
  if (actor.kind === 'member' && actor.role !== 'owner')
    return { plan: 'free', highestPlan: 'free' };
  return { plan, highestPlan };
}

function requireMembersCreate({ config }: CreationDeps): void {
  if (config.organizationCreation === 'members') return;
  throw new DocentError(
    'operator_required',
    'On this server only the operator creates organizations: ask them to run "docent organizations create <name>".',
  );
}

async function countCreation({ config, limiter }: CreationDeps, userId: string): Promise<void> {
  const limit = limitsFrom(config.limits).organizationsPerPerson;
  const { allowed, resetSeconds } = await limiter.consume(limit, userId);
  if (!allowed) throw pastLimit(limit, resetSeconds);
}

async function requireRoomForOrganization(
  { config }: CreationDeps,
  transaction: QueryRunner,
  userId: string,
): Promise<void> {
  await lockOrganizationsBy(transaction, userId);
  const { organizationsPerPerson } = config.quotas;
  if ((await countOrganizationsBy(transaction, userId)) < organizationsPerPerson) return;
  throw new DocentError(
    'quota_exceeded',
    `A person may have created ${organizationsPerPerson} organizations. Delete one of yours, or ask the operator of the server for more (DOCENT_ORGANIZATIONS_PER_PERSON).`,
  );
}

/**
 * Deletes the actor's organization with everything in it. Accounts of people stay. Its audit log is
 * gone with it, so the server's own log says who deleted it.
 * @param confirm must be the identifier of the organization
 * @throws DocentError `role_missing`; `invalid_request` without the confirmation
 */
export async function deleteOrganization(
  deps: OrganizationDeps & Parameters<typeof deleteSite>[0],
  actor: Actor,
  confirm: string | undefined,
): Promise<void> {
  requirePermission(actor, 'owners.write');
  const { id, slug, name } = await readOrganization(deps, actor);
  requireConfirmation('organization', slug, confirm);
  const { queries } = deps.database;
  const sites = await queries
    .selectFrom('sites')
    .select('slug')
    .where('organization_id', '=', id)
    .execute();
  for (const site of sites) await deleteSite(deps, actor, site.slug, site.slug);
  await deleteOrganizationRow(queries, id);
  deps.keyCache.invalidateOrganization(id);
  deps.logger.info(
    { organizationId: id, slug, name, sites: sites.length, actor: actorId(actor) },
    'organization deleted',
  );
}

type SetupDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'accounts'>;

/**
 * Servers that share a database each print a link on startup; this many of these are valid
 * together.
 */
const LINKS_OF_SHARED_DATABASE = 10;

interface Setup {
  token: string;
  name: string;
  email: string;
  password: string;
  organization: { name: string; slug?: string | undefined };
}

/**
 * Creates a link that can create the first account, once. Replaces an earlier one.
 * @returns `undefined` if there is an account
 */
export async function offerSetup({
  database,
  clock,
  config,
}: Omit<SetupDeps, 'accounts'>): Promise<string | undefined> {
  if (await hasUsers(database.queries)) return undefined;
  const token = randomBytes(24).toString('base64url');
  const kept = database.engine === 'pglite' ? 0 : LINKS_OF_SHARED_DATABASE - 1;
  await replaceSetupTokens(database.queries, hashSecret(token), clock.now(), kept);
  return `${config.publicUrl}/dashboard/setup?token=${token}`;
}

/**
 * Creates the first account, and makes it the owner of the server's organization.
 * @throws DocentError `link_refused` if the token is invalid or was used; `invalid_request`,
 *   `organization_exists`
 */
export async function setUp(
  deps: SetupDeps,
  setup: Setup,
): Promise<{ user: AccountUser; organizationId: string; slug: string }> {
  const { database, clock, accounts } = deps;
  const { queries } = database;
  const hash = hashSecret(setup.token);
  const tokenHashes = await listSetupTokens(queries);
  const isValid = tokenHashes.filter((tokenHash) => isSecret(hash, tokenHash)).length > 0;
  if (!isValid || (await hasUsers(queries))) throw refused();
  const organization = await ensureDefaultOrganization(deps);
  const slug =
    setup.organization.slug ?? organizationSlugFrom(setup.organization.name) ?? organization.slug;
  await requireFreeSlug(deps, slug, organization.id);
  const createdAt = clock.now();
  if (!(await takeSetupTokens(queries, hash))) throw refused();
  let user: AccountUser | undefined;
  try {
    const newUser = await accounts.createUser(setup);
    user = newUser;
    await queries.transaction().execute(async (transaction) => {
      await updateOrganization(
        transaction,
        organization.id,
        { slug, name: setup.organization.name },
        createdAt,
      );
      await insertMember(transaction, {
        organizationId: organization.id,
        userId: newUser.id,
        role: 'owner',
        createdAt,
      });
    });
    return { user: newUser, organizationId: organization.id, slug };
  } catch (error) {
    // After correcting the input, the link can be used again.
    if (user) await accounts.deleteUser(user.id);
    await replaceSetupTokens(queries, hash, createdAt, tokenHashes.length);
    throw isUniqueViolation(error) ? organizationTaken(slug) : error;
  }
}

/**
 * Rejects an identifier that an organization cannot have.
 * @param ownId id of the organization that may have it already
 * @throws DocentError `invalid_request`, `organization_exists`
 */
async function requireFreeSlug(
  { database }: Pick<Deps, 'database'>,
  slug: string,
  ownId?: string,
): Promise<void> {
  if (!isOrganizationSlug(slug)) {
    const message =
      'The identifier of an organization has 1 to 63 lower-case letters, digits and inner hyphens, and is not a page of the dashboard such as "account".';
    throw new DocentError('invalid_request', message, { errors: [{ path: '/slug', message }] });
  }
  const holder = await findOrganization(database.queries, slug);
  // Who only had it before gives way.
  if (holder?.slug === slug && holder.id !== ownId) throw organizationTaken(slug);
}

/** Another organization has the identifier, perhaps since a moment ago. */
function organizationTaken(slug: string): DocentError {
  return new DocentError(
    'organization_exists',
    `The identifier "${slug}" is already used by an organization; choose another.`,
  );
}

function refused(): DocentError {
  return new DocentError(
    'link_refused',
    'The link was already used or is outdated; restart the server for a new one.',
  );
}
