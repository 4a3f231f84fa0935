/**
 * Something that an operation did besides what it is called for, with an entry of its own: a key
 * revoked with its creator.
 */
export interface Consequence {
  /** Its name in the vocabulary of the audit log. */
  action: string;
  thing: string;
  name: string | null;
  /** The site that it belongs to. */
  site: { id: string; name: string } | null;
  organizationId: string;
}

/** Returns the entries for the audit log of things that an operation did the same with. */
export function consequencesOf(
  action: string,
  organizationId: string,
  things: readonly (Pick<Consequence, 'name'> & { id: string; site?: Consequence['site'] })[],
): Consequence[] {
  return things.map(({ id, name, site = null }) => ({
    action,
    thing: id,
    name,
    site,
    organizationId,
  }));
}
