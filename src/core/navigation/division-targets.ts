import type { Division, MenuPage } from './navigation.ts';
import { divisionsOf, pagesBelow } from './slices.ts';

/** Returns the link target of a division. */
export class DivisionTargets {
  readonly #pages: ReadonlyMap<string, MenuPage>;
  readonly #isIn: (path: string, division: Division) => boolean;
  readonly #hrefs = new Map<Division, string | undefined>();

  /** @param isIn whether the page is shown in that division, not in another one that names it too */
  constructor(pages: ReadonlyMap<string, MenuPage>, isIn: (path: string, division: Division) => boolean) {
    this.#pages = pages;
    this.#isIn = isIn;
  }

  /** Returns the division's own link, otherwise that of its first visible page; undefined if it has neither. */
  href(division: Division): string | undefined {
    if (division.href !== undefined) return division.href;
    if (!this.#hrefs.has(division)) this.#hrefs.set(division, this.#firstHref(division));
    return this.#hrefs.get(division);
  }

  /**
   * Returns the first page in the part of `division` that best matches the reader's position: the API tab of another version for
   * the API tab of this one.
   * @param trail the reader's divisions, from the sibling of `division` inwards
   */
  nearestHref(division: Division, trail: readonly Division[]): string | undefined {
    let nearest = division;
    for (const [depth, own] of trail.entries()) {
      const wanted = trail[depth + 1];
      if (!wanted) break;
      const position = divisionsOf(own.children).indexOf(wanted);
      const children = divisionsOf(nearest.children);
      const match =
        children.find((one) => one.kind === wanted.kind && one.id === wanted.id) ??
        (children[position]?.kind === wanted.kind ? children[position] : undefined);
      if (!match || match.hidden || match.href !== undefined || this.href(match) === undefined) break;
      nearest = match;
    }
    return this.href(nearest);
  }

  #firstHref(division: Division): string | undefined {
    let shared: string | undefined;
    for (const path of this.#visiblePages(division)) {
      const page = this.#pages.get(path);
      if (!page || page.hidden) continue;
      if (page.externalUrl === undefined && this.#isIn(path, division)) return page.href;
      shared ??= page.externalUrl ?? page.href;
    }
    return shared;
  }

  /** Divisions of the default version and language come first. */
  *#visiblePages(division: Division): Generator<string> {
    const children = divisionsOf(division.children);
    const chosen = children.filter((one) => one.default && (one.kind === 'language' || one.kind === 'version'));
    yield* pagesBelow(chosen, (node) => !node.hidden);
    yield* pagesBelow(division.children, (node) => !node.hidden);
  }
}
