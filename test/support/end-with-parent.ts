/** Ends this process when the one that started it has gone, which is seen by the end of the standard input. */
export function endWithParent(): void {
  process.stdin.on('end', () => process.exit()).resume();
}
