/** A page that is generated from a description instead of a file, with its place in the menu. */
export interface GeneratedPage {
  /** `BuiltPage.path`. */
  path: string;
  /** The group that contains it. */
  group?: string;
  /** The group inside that one. */
  subgroup?: string;
  /** Has a page, but no entry in the menu unless the navigation names it. */
  hidden?: boolean;
}

export interface ApiPageRef extends GeneratedPage {
  /** Upper case; `WEBHOOK` for webhooks. */
  method: string;
  /** Path of the operation as in the description, or the name of a webhook or channel. */
  route: string;
  title: string;
  /** `groups` of the operation, as written. */
  groups?: unknown;
  /** The `OpenApiSource.source` that it comes from. */
  source: string;
}
