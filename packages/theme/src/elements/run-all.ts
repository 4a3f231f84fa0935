/**
 * Starts the parts of a script. One that fails, for example on markup that a site's own script has
 * changed, must not affect the others.
 */
export function runAll(parts: readonly (() => void)[]): void {
  for (const start of parts) {
    try {
      start();
    } catch (error) {
      reportError(error);
    }
  }
}
