/** Matches code, which stays unchanged, or the beginning of a link or image with a path or an anchor as its address. */
const CODE_OR_LINK = /`+[^`]*`+|(\]\(<?)([/#][^\s)>]*)/g;
const FENCE = /^\s*(`{3,}|~{3,})/;

/**
 * Makes the links of a page's Markdown absolute, so that they work wherever the text is shown.
 * @param publicUrl address of the site, no trailing slash
 * @param href the page's own path, the base of anchors (`#keys`)
 */
export function absoluteLinks(markdown: string, publicUrl: string, href: string): string {
  if (!markdown.includes('](')) return markdown;
  let fence = '';
  const lines = markdown.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark && fence === '') fence = mark;
    else if (mark?.startsWith(fence) && fence !== '') fence = '';
    else if (fence === '')
      return line.replaceAll(CODE_OR_LINK, (all, opening?: string, address = '') => {
        if (opening === undefined || address.startsWith('//')) return all;
        return `${opening}${publicUrl}${address.startsWith('#') ? href : ''}${address}`;
      });
    return line;
  });
  return lines.join('\n');
}
