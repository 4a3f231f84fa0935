/** Every text of the interface. `{name}` is replaced by `fill`. */
export interface Messages {
  skipToContent: string;
  mainNavigation: string;
  pages: string;
  breadcrumbs: string;
  onThisPage: string;
  search: string;
  searchPlaceholder: string;
  searchLoading: string;
  searchNothing: string;
  searchFailed: string;
  searchHint: string;
  searchRecent: string;
  searchClear: string;
  searchResultCount: string;
  searchSelect: string;
  searchMove: string;
  searchClose: string;
  appearance: string;
  appearanceSystem: string;
  appearanceLight: string;
  appearanceDark: string;
  openMenu: string;
  closeMenu: string;
  showPagesOf: string;
  opensElsewhere: string;
  version: string;
  language: string;
  product: string;
  section: string;
  sections: string;
  shortcuts: string;
  copyPage: string;
  copied: string;
  copyFailed: string;
  moreActions: string;
  viewAsMarkdown: string;
  previous: string;
  next: string;
  pagination: string;
  deprecated: string;
  dismiss: string;
  footer: string;
  announcement: string;
  examples: string;
  notFoundTitle: string;
  notFoundText: string;
  notFoundHome: string;
  movedTitle: string;
  movedText: string;
}

/** Puts values into a text: `fill('{n} results', { n: 3 })`. A name without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
