/** Folders that are never part of a source, at any depth. */
const skippedFolders = new Set(['.git', 'node_modules']);

/**
 * Returns whether a path is not part of a source: version control, installed packages, and the copies of file attributes that
 * archives made on a Mac contain beside each file.
 */
export function isSkippedPath(path: string): boolean {
  return path.split('/').some((word) => skippedFolders.has(word) || word.startsWith('._'));
}
