export const PAGE_FILE = /\.mdx?$/i;
export const SNIPPET_FOLDER = /^_?snippets\//;

/** Returns a title for a page or a folder without one: `getting-started` → `Getting started`. */
export function titleFromPath(path: string): string {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/[-_]+/g, ' ')
    .trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}
