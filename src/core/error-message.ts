/** What an error says; what was thrown may be anything. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
