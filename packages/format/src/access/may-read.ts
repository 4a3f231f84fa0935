import { comparableGroup, type PageAudience } from './audience.ts';

/** A reader who signed in to a site. */
export interface Reader {
  /**
   * Stable within the site and the way to sign in, such as `password` or `member:<userId>`; never
   * shown to others.
   */
  id: string;
  groups: readonly string[];
  /** What pages know of the reader as `user.content`; JSON of at most 16 KB. */
  content: Readonly<Record<string, unknown>>;
  apiPlaygroundInputs: PlaygroundInputs;
  expiresAt: Date;
}

/** Values that the forms of API pages begin with, by the names of parameters. */
export type PlaygroundInputs = Readonly<
  Partial<
    Record<'server' | 'header' | 'query' | 'cookie' | 'path', Readonly<Record<string, unknown>>>
  >
>;

/**
 * Decides who may read a page, for every output. Groups win over `isPublic`; names of groups match
 * exactly, apart from spaces around them and the form of composed characters.
 * @param reader `undefined`: nobody in particular
 */
export function mayRead(
  reader: Reader | undefined,
  page: PageAudience,
  site: { isPrivate: boolean },
): boolean {
  if (page.groups) {
    const groups = new Set(reader?.groups.map(comparableGroup));
    return page.groups.some((group) => groups.has(comparableGroup(group)));
  }
  return reader !== undefined || page.isPublic || !site.isPrivate;
}
