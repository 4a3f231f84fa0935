/**
 * Returns a name as part of an anchor: `external_id` and `externalId` become `external-id`, the form of links to generated pages.
 */
export function anchorPart(name: string): string {
  if (/^[a-z][a-z0-9]{0,59}$/.test(name)) return name;
  const slug = name
    .slice(0, 60)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'field' : slug;
}
