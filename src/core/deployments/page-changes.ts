/** What a build changed, beside the one that was live before it. Pages are named by their site path. */
export interface PageChanges {
  /** The deployment that it is compared with; `null` where nothing was live. */
  comparedWith: string | null;
  added: PageList;
  changed: PageList;
  removed: PageList;
}

export interface PageList {
  count: number;
  /** The first of them, in the order of the menu. */
  pages: string[];
}
