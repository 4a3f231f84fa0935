/** Text as the database can hold it: PostgreSQL has no U+0000, and nothing is lost without it. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '');
}
