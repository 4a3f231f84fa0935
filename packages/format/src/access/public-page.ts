/**
 * Decides who may read a page, for every output: a page is published for everybody or, until
 * readers can sign in, not at all.
 * `readSiteModel` calls this once for each page and omits the others from the model, so no output can forget the check.
 * @param groups `groups` of the page's frontmatter or of its API operation, as written. Any value
 *   restricts the page, because its author meant to restrict it
 */
export function isPublicPage(groups: unknown): boolean {
  return groups === undefined || groups === null;
}

/** Matches a line of frontmatter, or an entry of an inline map, with the key `groups`. */
const GROUPS_ENTRY = /(?:^|[\n{,])[ \t]*["']?groups["']?[ \t]*[:=]/i;

/**
 * Returns what the metadata of a page says about who may read it. `Groups` counts in any case; if
 * several objects have it, any of them restricts the page.
 */
export function groupsOf(
  ...metadata: readonly (Iterable<readonly [string, unknown]> | undefined)[]
): unknown {
  for (const entries of metadata)
    for (const [key, value] of entries ?? [])
      if (key.trim().toLowerCase() === 'groups' && !isPublicPage(value)) return value;
  return undefined;
}

/**
 * Returns whether unreadable metadata seems to contain `groups`. Then the page is restricted, as
 * its author intended.
 */
export function mentionsGroups(metadata: string): boolean {
  return GROUPS_ENTRY.test(metadata);
}
