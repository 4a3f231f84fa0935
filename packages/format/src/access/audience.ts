import { isPublicPage } from './public-page.ts';

/**
 * Who may read a page, as its author wrote it. A page without groups is for everybody who may read
 * the site.
 */
export interface PageAudience {
  /** Nobody has to sign in for it, on a site that otherwise asks its readers to. */
  isPublic: boolean;
  /**
   * Any of these suffices; none if what the author wrote cannot be read, and then nobody may. They
   * win over `isPublic`.
   */
  groups?: readonly string[];
}

const MAX_GROUPS = 100;
const MAX_GROUP_LENGTH = 200;

/**
 * Returns the groups that `groups` of a page's metadata names, as they are compared: in Unicode's
 * form C, without outer spaces.
 * @param written as in YAML or JSON: a list, or texts with commas between them
 * @returns undefined without a restriction; empty if the value cannot be read, because its author
 *   meant to restrict the page
 */
export function readGroups(written: unknown): readonly string[] | undefined {
  if (isPublicPage(written)) return undefined;
  const items: readonly unknown[] =
    typeof written === 'string' ? written.split(',') : Array.isArray(written) ? written : [];
  const names = items.map((item) =>
    typeof item === 'string' || typeof item === 'number' ? groupName(String(item)) : undefined,
  );
  return [...new Set(names.filter((name) => name !== undefined))].slice(0, MAX_GROUPS);
}

/** Returns a group in the form in which groups are compared. */
export function comparableGroup(name: string): string {
  return name.normalize('NFC').trim();
}

/** The same of a page's group; undefined if it cannot be one. */
function groupName(written: string): string | undefined {
  const name = comparableGroup(written);
  return name === '' || name.length > MAX_GROUP_LENGTH ? undefined : name;
}

/**
 * Returns who may read what several rules restrict, all of which apply: a page, and the operation
 * that it shows.
 */
export function groupsOfAll(...written: readonly unknown[]): readonly string[] | undefined {
  const lists = written.map(readGroups).filter((groups) => groups !== undefined);
  const [first, ...rest] = lists;
  return first?.filter((group) => rest.every((groups) => groups.includes(group)));
}

/**
 * Returns whether everybody who may read the page may read what is only for these groups: a snippet
 * inside it.
 */
export function isWithin(
  page: PageAudience | undefined,
  groups: readonly string[] | undefined,
): boolean {
  if (groups === undefined) return true;
  return page?.groups?.every((group) => groups.includes(group)) ?? false;
}

/**
 * Returns who may read a file that these pages use: everybody who may read any of them.
 * @returns undefined if that is everybody who may read the site
 */
export function audienceOfUsers(
  users: readonly (PageAudience | undefined)[],
): PageAudience | undefined {
  if (users.length === 0) return undefined;
  const isPublic = users.some((user) => user?.isPublic === true && user.groups === undefined);
  if (users.some((user) => user?.groups === undefined)) return isPublic ? { isPublic } : undefined;
  return {
    isPublic: false,
    groups: [...new Set(users.flatMap((user) => user?.groups ?? []))].sort(),
  };
}
