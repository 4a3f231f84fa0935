import type { PageContent } from '../../core/site-build.ts';

/** Returns the page as Markdown for programs, with a line that links to the index of the whole site. */
export function markdownOf(content: PageContent, siteAddress: string): string {
  return markdownStart(siteAddress) + content.markdown;
}

/** What precedes the Markdown of every page. */
export function markdownStart(siteAddress: string): string {
  return `> The index of this documentation: ${siteAddress}/llms.txt\n\n`;
}
