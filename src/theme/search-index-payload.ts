/**
 * What the script of the search index leaves in the page: the index as text where it is UTF-8, else in base64; in a bundle the
 * head of an index in parts, and where the site is small all of its parts after it.
 */
export type SearchIndexPayload = { text: string } | { base64: string } | { parts: string[] };
