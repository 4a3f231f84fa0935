/**
 * Decides who may read a page, for every output: a page is published for everybody or, until readers can sign in, not at
 * all. `readSiteModel` asks once for each page and leaves the others out of the model, so no output can forget to ask.
 * @param groups `groups` of the page's frontmatter or of its API operation, as written. Anything but nothing restricts the
 *   page, because its author meant to restrict it
 */
export function isPublicPage(groups: unknown): boolean {
  return groups === undefined || groups === null;
}
