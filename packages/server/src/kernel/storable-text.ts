/**
 * Returns text that the database can store: PostgreSQL does not support U+0000, which is never
 * meaningful.
 */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '');
}
