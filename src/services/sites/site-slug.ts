import { isPlatformHostname, type PlatformNames } from '../../core/access/host-name.ts';
import { isNewSlug } from '../../core/access/site-name.ts';
import { DocentError, type FieldError } from '../../core/errors.ts';
import { deleteAliases, findAliasHolder } from '../../db/sites/sites.ts';
import type { Transaction } from '../../ports/database.ts';
import { defaultHostnameOf } from './site-address.ts';

/** Returns why no site can have an identifier; undefined if it is allowed. */
export function slugFaults(slug: string, names: PlatformNames): FieldError[] {
  const errors: FieldError[] = [];
  if (!isNewSlug(slug)) {
    errors.push({
      path: '/slug',
      message:
        'An identifier has 1 to 63 lower-case letters, digits and single inner hyphens, for example "docs" or "acme-docs".',
    });
  }
  const defaultHostname = defaultHostnameOf(slug, names);
  if (defaultHostname !== undefined && isPlatformHostname(defaultHostname, names)) {
    errors.push({ path: '/slug', message: `"${slug}" cannot be used: ${defaultHostname} is a name of the platform.` });
  }
  return errors;
}

/**
 * Takes over a former identifier of another site of the same organization. Call it once the site's row has the identifier, so
 * that concurrent changes of the same one wait.
 * @throws DocentError `site_exists` if it belonged to a site of another organization
 */
export async function takeFormerSlug(transaction: Transaction, slug: string, organisationId: string): Promise<void> {
  const holder = await findAliasHolder(transaction, slug);
  if (holder && holder.organisationId !== organisationId) throw slugTaken(slug);
  if (holder) await deleteAliases(transaction, [slug]);
}

export function slugTaken(slug: string): DocentError {
  return new DocentError('site_exists', `The identifier "${slug}" is already used by a site; choose another.`);
}
