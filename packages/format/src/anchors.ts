/**
 * Returns the anchors of an operation where its description is shown as one long page, in Redoc and
 * Swagger UI: texts of descriptions link to other operations and to tags with them.
 */
export function operationAnchors({
  operationId,
  tags = [],
}: {
  operationId?: string;
  tags?: readonly string[];
}): string[] {
  const places = tags.map((tag) => `#tag/${tag.trim().replace(/\s+/g, '-')}`);
  if (operationId === undefined) return places;
  return [
    `#operation/${operationId}`,
    ...places.flatMap((place) => [place, `${place}/operation/${operationId}`]),
    ...tags.map((tag) => `#/${tag}/${operationId}`),
  ];
}

/** Whether an anchor can be one of them. */
export function isOperationAnchor(anchor: string): boolean {
  return /^#(?:operation\/|tag\/|\/)/.test(anchor);
}

/**
 * Returns a name as part of an anchor: `external_id` and `externalId` become `external-id`, the
 * form of links to generated pages.
 */
export function anchorPart(name: string): string {
  return /^[a-z][a-z0-9]{0,59}$/.test(name) ? name : kebabCase(name.slice(0, 60)) || 'field';
}

/** Returns the words of a name in lower case with hyphens between them; empty if it has none. */
export function kebabCase(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
}
