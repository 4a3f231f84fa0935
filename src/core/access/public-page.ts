/**
 * Decides who may read a page, for every output: a page is published for everybody or, until readers can sign in, not at
 * all. `readSiteModel` asks once for each page and leaves the others out of the model, so no output can forget to ask.
 * @param groups `groups` of the page's frontmatter or of its API operation, as written. Anything but nothing restricts the
 *   page, because its author meant to restrict it
 */
export function isPublicPage(groups: unknown): boolean {
  return groups === undefined || groups === null;
}

/** Where a line of frontmatter, or an entry of a map on one line, is called `groups`. */
const GROUPS_ENTRY = /(?:^|[\n{,])[ \t]*["']?groups["']?[ \t]*[:=]/i;

/**
 * What the metadata of a page says about who may read it. `Groups` in any case counts; where several objects have it, any of them
 * restricts the page.
 */
export function groupsOf(...metadata: readonly (Iterable<readonly [string, unknown]> | undefined)[]): unknown {
  for (const entries of metadata)
    for (const [key, value] of entries ?? []) if (key.trim().toLowerCase() === 'groups' && !isPublicPage(value)) return value;
  return undefined;
}

/** Whether metadata that cannot be read seems to name `groups`. Then the page is restricted, as its author meant it to be. */
export function mentionsGroups(metadata: string): boolean {
  return GROUPS_ENTRY.test(metadata);
}
