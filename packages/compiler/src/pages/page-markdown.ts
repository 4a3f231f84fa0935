/**
 * What precedes the Markdown of every page for programs: a line that links to the index of the
 * whole site.
 */
export function markdownStart(siteAddress: string): string {
  return `> The index of this documentation: ${siteAddress}/llms.txt\n\n`;
}
