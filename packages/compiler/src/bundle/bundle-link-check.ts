import { documentLinks, styleLinks } from '@docent/format/exports/document-links.ts';
import { decodeAddress } from '@docent/format/links.ts';

/** A link in a bundle whose target is not in the bundle. */
export interface BrokenBundleLink {
  /** The file that contains it. */
  file: string;
  address: string;
  reason: string;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Assumed address of the bundle during the check: deep enough that a link out of it is noticed. */
const ROOT = 'http://bundle.invalid/a/b/';

/**
 * Collects the links of a bundle's files, one file at a time, and reports broken ones when all
 * files are known.
 */
export class BundleLinkCheck {
  readonly #files = new Set<string>();
  /** By target: the first link and file that refer to it, since many links share a target. */
  readonly #targets = new Map<string, { file: string; address: string }>();
  readonly #broken: BrokenBundleLink[] = [];

  /** @param text only read for HTML and CSS */
  add(path: string, text: () => string): void {
    this.#files.add(path);
    const links = path.endsWith('.html')
      ? documentLinks(text())
      : path.endsWith('.css')
        ? styleLinks(text())
        : [];
    for (const { address, fetched } of links) this.#note(path, address, fetched);
  }

  #note(file: string, address: string, fetched: boolean): void {
    if (
      address === '' ||
      address.startsWith('#') ||
      /^(?:data|blob|mailto|tel|javascript|about):/i.test(address)
    )
      return;
    const refuse = (reason: string) => this.#broken.push({ file, address, reason });
    if (SCHEME.test(address) || address.startsWith('//')) {
      if (fetched) refuse('it is loaded from another origin');
      return;
    }
    if (address.startsWith('/'))
      return void refuse('it starts at the root of the server, but the bundle may be below it');
    const url = URL.parse(address, ROOT + encodeURI(file));
    if (!url) return void refuse('it is not a valid URL');
    if (!url.href.startsWith(ROOT)) return void refuse('it leads outside the bundle');
    const target = decodeAddress(url.pathname.slice(new URL(ROOT).pathname.length));
    if (!this.#targets.has(target)) this.#targets.set(target, { file, address });
  }

  /** Returns the broken links, once every file was added. */
  broken(): BrokenBundleLink[] {
    const missing = [...this.#targets].filter(([target]) => !this.#files.has(target));
    const missingLinks = missing.map(([target, { file, address }]) => ({
      file,
      address,
      reason: `there is no file ${target || '/'}`,
    }));
    return [...this.#broken, ...missingLinks];
  }
}
