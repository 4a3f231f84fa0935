/** Where a page stands in the site, for readers: the group of the list of pages that it is in, else the folders of its address. */
export function pageTrail(href: string, address: string): string {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#navigation-items a[href]')) {
    if (link.getAttribute('href') !== address) continue;
    const group = link.closest('.d-nav-group')?.querySelector('.d-nav-title')?.textContent?.trim();
    if (group) return group;
  }
  return folders(href).join(' / ');
}

/** `/api-reference/2026-04/get` → `api reference`, `2026-04`. */
export function folders(href: string): string[] {
  const segments = href.split('/').slice(1, -1);
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment).replace(/(?<=\p{L})[-_]+(?=\p{L})/gu, ' ');
    } catch {
      return segment;
    }
  });
}
