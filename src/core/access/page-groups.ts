/**
 * Who may read a page: the `groups` of its frontmatter, unchecked.
 * @returns undefined for a page that everybody may read. What cannot be read as groups protects the page from everybody,
 *   because its author meant to
 */
export function pageGroups(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const names = Array.isArray(value) ? value : [value];
  return names.filter((name) => typeof name === 'string' || typeof name === 'number').map((name) => String(name).trim());
}
