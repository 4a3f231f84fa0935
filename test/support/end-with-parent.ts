/**
 * Ends this process when the process that started it has ended, which closes the standard input.
 */
export function endWithParent(): void {
  process.stdin.on('end', () => process.exit()).resume();
}
