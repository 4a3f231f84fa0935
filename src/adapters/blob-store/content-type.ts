export const maxContentTypeBytes = 1024;

/**
 * Returns `contentType` if it is valid in a header.
 * @throws TypeError
 */
export function checkContentType(contentType: string): string {
  if (/^[\x20-\x7e]+$/.test(contentType) && contentType.length <= maxContentTypeBytes) return contentType;
  throw new TypeError(`${JSON.stringify(contentType.slice(0, 100))} is not a content type.`);
}
