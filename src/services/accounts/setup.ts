import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isOrganisationSlug, organisationSlugFrom } from '../../core/access/site-name.ts';
import { DocentError } from '../../core/errors.ts';
import { hasUsers, insertMember } from '../../db/members.ts';
import {
  findDefaultOrganisation,
  findOrganisation,
  insertOrganisation,
  listSetupTokens,
  type OrganisationRow,
  replaceSetupTokens,
  takeSetupTokens,
  updateOrganisation,
} from '../../db/organisations.ts';
import type { AccountUser } from '../../ports/accounts.ts';
import { isUniqueViolation } from '../../ports/database.ts';
import type { Deps } from '../deps.ts';
import { createUlid, hashSecret } from '../ids.ts';

type SetupDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'accounts'>;

/** Servers that share a database each print a link on startup; this many of these are valid together. */
const LINKS_OF_SHARED_DATABASE = 10;

export interface Setup {
  token: string;
  name: string;
  email: string;
  password: string;
  organisation: { name: string; slug?: string | undefined };
}

/**
 * Creates a link that can create the first account, once. Replaces an earlier one.
 * @returns `undefined` if there is an account
 */
export async function offerSetup({ database, clock, config }: Omit<SetupDeps, 'accounts'>): Promise<string | undefined> {
  if (await hasUsers(database.queries)) return undefined;
  const token = randomBytes(24).toString('base64url');
  const kept = database.engine === 'pglite' ? 0 : LINKS_OF_SHARED_DATABASE - 1;
  await replaceSetupTokens(database.queries, hashSecret(token), clock.now(), kept);
  return `${config.publicUrl}/dashboard/setup?token=${token}`;
}

/**
 * Creates the first account, and makes it the owner of the server's organization.
 * @throws DocentError `link_refused` if the token is invalid or was used; `invalid_request`, `organisation_exists`
 */
export async function setUp(deps: SetupDeps, setup: Setup): Promise<{ user: AccountUser; organisationId: string; slug: string }> {
  const { database, clock, accounts } = deps;
  const { queries } = database;
  const hash = hashSecret(setup.token);
  const known = await listSetupTokens(queries);
  const isValid = known.filter((one) => timingSafeEqual(Buffer.from(one), Buffer.from(hash))).length > 0;
  if (!isValid || (await hasUsers(queries))) throw refused();
  const organisation = await ensureDefaultOrganisation(deps);
  const slug = setup.organisation.slug ?? organisationSlugFrom(setup.organisation.name) ?? organisation.slug;
  await requireFreeSlug(deps, slug, organisation.id);
  const createdAt = clock.now();
  if (!(await takeSetupTokens(queries, hash))) throw refused();
  let user: AccountUser | undefined;
  try {
    const made = await accounts.createUser(setup);
    user = made;
    await queries.transaction().execute(async (transaction) => {
      await updateOrganisation(transaction, organisation.id, { slug, name: setup.organisation.name }, createdAt);
      await insertMember(transaction, { organisationId: organisation.id, userId: made.id, role: 'owner', createdAt });
    });
    return { user: made, organisationId: organisation.id, slug };
  } catch (error) {
    // After correcting the input, the link can be used again.
    if (user) await accounts.deleteUser(user.id);
    await replaceSetupTokens(queries, hash, createdAt, known.length);
    throw isUniqueViolation(error) ? organisationTaken(slug) : error;
  }
}

/**
 * Rejects an identifier that an organization cannot have.
 * @param ownId id of the organization that may have it already
 * @throws DocentError `invalid_request`, `organisation_exists`
 */
export async function requireFreeSlug({ database }: Pick<Deps, 'database'>, slug: string, ownId?: string): Promise<void> {
  if (!isOrganisationSlug(slug)) {
    const message =
      'The identifier of an organization has 1 to 63 lower-case letters, digits and inner hyphens, and is not a page of the dashboard such as "account".';
    throw new DocentError('invalid_request', message, { errors: [{ path: '/slug', message }] });
  }
  const taken = await findOrganisation(database.queries, slug);
  if (taken && taken.id !== ownId) throw organisationTaken(slug);
}

/** Another organization has the identifier, perhaps since a moment ago. */
export function organisationTaken(slug: string): DocentError {
  return new DocentError('organisation_exists', `The identifier "${slug}" is already used by an organization; choose another.`);
}

function refused(): DocentError {
  return new DocentError('link_refused', 'The link was already used or is outdated; restart the server for a new one.');
}

const DEFAULT_SLUG = 'default';

/** Returns the organization of a single-organisation server, created on the first call. */
export async function ensureDefaultOrganisation(deps: Pick<Deps, 'database' | 'clock'>): Promise<OrganisationRow> {
  const { queries } = deps.database;
  const known = await findDefaultOrganisation(queries);
  if (known) return known;
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  // Another organization may have taken the name.
  const slug = (await findOrganisation(queries, DEFAULT_SLUG)) ? `${DEFAULT_SLUG}-${id.toLowerCase()}` : DEFAULT_SLUG;
  await insertOrganisation(queries, { id, slug, name: 'Default', plan: 'enterprise', isDefault: true, createdAt });
  const made = await findDefaultOrganisation(queries);
  if (!made) throw new Error('The default organization is missing although it was just created.');
  return made;
}
