/** Returns the message of an error; any thrown value is allowed. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
