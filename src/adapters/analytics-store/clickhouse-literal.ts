/** Returns a text as a literal of ClickHouse SQL, whose servers have query parameters only since version 20. */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}
