/**
 * Returns the anchors of an operation where its description is shown as one long page, in Redoc and Swagger UI: texts of
 * descriptions link to other operations and to tags with them.
 */
export function operationAnchors({ operationId, tags = [] }: { operationId?: string; tags?: readonly string[] }): string[] {
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
