import { type AnchorLink, hasAnchor } from '../core/content/page-anchors.ts';
import type { Diagnostic } from '../core/diagnostics.ts';

/** What a page has to do with links into the middle of pages. */
export interface AnchoredPage {
  anchors: readonly string[];
  anchorLinks: readonly AnchorLink[];
}

/** Finds links that lead to a place which their page does not have. Pages are added as they are compiled, in any order. */
export class AnchorCheck {
  readonly #pages = new Map<string, ReadonlySet<string>>();
  readonly #links: AnchorLink[] = [];

  /** @param href the address of the page, as links name it */
  add(href: string, page: AnchoredPage): void {
    this.#pages.set(href, new Set(page.anchors));
    this.#links.push(...page.anchorLinks);
  }

  /** A warning for each link that leads nowhere, once for each place that it stands in. */
  diagnostics(): Diagnostic[] {
    const found = new Map<string, Diagnostic>();
    for (const { path, id, file = '', line } of this.#links) {
      const anchors = this.#pages.get(path);
      if (!anchors || hasAnchor(anchors, id)) continue;
      found.set(`${file}:${line}:${path}#${id}`, {
        severity: 'warning',
        code: 'broken-link',
        message: `The page "${path}" has no place called "#${id}".`,
        remedy: 'Correct the link, or give the heading on that page the id with {#id}.',
        file,
        ...(line === undefined ? {} : { line }),
      });
    }
    return [...found.values()];
  }
}
