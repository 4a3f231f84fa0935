/** What the script of the search index leaves in the page: the index as text where it is UTF-8, else in base64. */
export type SearchIndexPayload = { text: string } | { base64: string };
