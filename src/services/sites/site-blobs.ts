/** Blob key of the compiled pages of a site's last build. */
export function pagePackKeyOf(siteId: string): string {
  return `cache/pages/${siteId}`;
}

/** Where copies of files of other servers stay with a site. */
export function outsideFolderOf(siteId: string): string {
  return `outside/${siteId}/`;
}
