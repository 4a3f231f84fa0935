import { audienceOfUsers, type PageAudience } from '@docent/format/access/audience.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { splitAddress } from '@docent/format/links.ts';
import type { PagePlan } from '../site/page-plans.ts';
import type { PageResult } from './page-result.ts';
import { readStoredPage } from './stored-page.ts';

/** A link to a file of the site in a stored page; see `format/links.ts`. */
const FILE_LINK = /\u0001A\/([^\u0001]*)\u0001/g;
/** Every page loads them, whatever is in them. */
const CODE = /\.(?:css|js|mjs|woff2?|ttf|otf|eot)$/i;

/**
 * Which files of a site the pages use, so that a file that only restricted pages use is as
 * restricted as they are.
 */
export class FileUsers {
  readonly #users = new Map<string, PagePlan[]>();
  readonly #waiting: { page: PagePlan; addresses: string[] }[] = [];

  /** Adds a page as it was compiled. */
  add(page: PagePlan, result: Pick<PageResult, 'content' | 'files' | 'outside'>): void {
    const { html, aside, markdown } = readStoredPage(result.content);
    for (const text of [html, aside])
      for (const [, target = ''] of text.matchAll(FILE_LINK)) this.#use(page, target);
    // What an author wrote into HTML or a head tag is no link of ours.
    const scripts = result.files.map(({ text }) => text);
    for (const path of pathsIn([page.frontmatter, html, aside, markdown, ...scripts]))
      this.#use(page, path);
    for (const { path } of result.files) this.#use(page, path);
    if (result.outside.length > 0)
      this.#waiting.push({ page, addresses: result.outside.map(({ address }) => address) });
  }

  /** @param copyOf returns the path of the copy of a file on another server */
  settle(copyOf: (address: string) => string | undefined): void {
    for (const { page, addresses } of this.#waiting)
      for (const address of addresses) {
        const path = copyOf(address);
        if (path !== undefined) this.#use(page, path);
      }
  }

  /**
   * Returns who may read each file, without those that everybody may read who may read the site.
   * @param files paths without a leading slash
   * @param shared what every page has beside the configuration: style sheets and scripts, by path
   */
  audiences(
    files: readonly string[],
    config: SiteConfig,
    shared: ReadonlyMap<string, string>,
  ): Map<string, PageAudience> {
    const ofSite = new Set(pathsIn([config]));
    for (const [place, text] of shared)
      for (const path of pathsIn([text])) ofSite.add(path).add(pathFrom(place, path));
    const audiences = new Map<string, PageAudience>();
    for (const path of files) {
      const users = this.#users.get(path);
      const isShared = ofSite.has(path) || (CODE.test(path) && users === undefined);
      const audience = isShared
        ? { isPublic: true }
        : audienceOfUsers((users ?? []).map((page) => page.audience));
      if (audience) audiences.set(path, audience);
    }
    return audiences;
  }

  #use(page: PagePlan, target: string): void {
    const path = decoded(splitAddress(target).path).replace(/^\/+/, '');
    const users = this.#users.get(path);
    if (users === undefined) this.#users.set(path, [page]);
    else if (users.at(-1) !== page) users.push(page);
  }
}

/**
 * Returns what looks like a path of a file of the site in the texts of a value, without leading
 * slashes.
 */
function pathsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return [
      ...text.matchAll(/["'(\s]\/?((?:[\w.~@%+-]+\/)*[\w.~@%+-]+\.[a-z0-9]{2,5})(?=["')\s?#])/gi),
    ].map(([, path = '']) => path);
  });
}

/** Returns the path of a file that another one names relative to itself. */
function pathFrom(place: string, path: string): string {
  return decoded(new URL(path, `https://docent.invalid/${place}`).pathname.slice(1));
}

/** Returns a path without its escapes; as it is if they are none of UTF-8. */
export function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
