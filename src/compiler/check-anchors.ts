import { type AnchorLink, anchorRemedy, hasAnchor } from '../core/content/page-anchors.ts';
import type { Diagnostic } from '../core/diagnostics.ts';

export interface AnchoredPage {
  anchors: readonly string[];
  anchorLinks: readonly AnchorLink[];
}

/** Finds links to anchors that their target page does not have. Pages are added as they are compiled, in any order. */
export class AnchorCheck {
  readonly #pages = new Map<string, ReadonlySet<string>>();
  readonly #links: AnchorLink[] = [];

  /** @param href the address of the page as used in links */
  add(href: string, page: AnchoredPage): void {
    this.#pages.set(href, new Set(page.anchors));
    this.#links.push(...page.anchorLinks);
  }

  /** Returns a warning for each broken anchor link, once per location. */
  diagnostics(): Diagnostic[] {
    const found = new Map<string, Diagnostic>();
    for (const { path, id, file = '', line } of this.#links) {
      const anchors = this.#pages.get(path);
      if (!anchors || hasAnchor(anchors, id)) continue;
      found.set(`${file}:${line}:${path}#${id}`, {
        severity: 'warning',
        code: 'broken-link',
        message: `The page "${path}" has no heading or id "#${id}".`,
        remedy: anchorRemedy(anchors, id),
        file,
        ...(line === undefined ? {} : { line }),
      });
    }
    return [...found.values()];
  }
}
