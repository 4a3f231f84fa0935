/** Returns the blob key of the compiled pages of a site's last build. */
export function pagePackKeyOf(siteId: string): string {
  return `cache/pages/${siteId}`;
}

/** Returns where a site's copies of files from other servers are stored. */
export function outsideFolderOf(siteId: string): string {
  return `outside/${siteId}/`;
}
