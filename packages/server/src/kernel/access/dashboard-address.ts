import type { Deps } from '../deps.ts';
import { findOrganization } from './organization-queries.ts';

/**
 * Returns the address of a page of the dashboard, which asks for an account first.
 * @param segments of its path below that of the organization
 */
export async function dashboardAddressOf(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  organizationId: string,
  segments: readonly string[],
  query: Record<string, string>,
): Promise<string> {
  const organization = await findOrganization(database.queries, organizationId);
  const path = [organization?.slug ?? '', ...segments].map(encodeURIComponent).join('/');
  return `${config.publicUrl}/dashboard/${path}?${new URLSearchParams(query)}`;
}
