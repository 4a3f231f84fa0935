import { documentLinks, styleLinks } from '../../core/exports/document-links.ts';

/** An address in a bundle that leads to no file of it. */
export interface BrokenBundleLink {
  /** The file that holds it. */
  file: string;
  address: string;
  reason: string;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** The address that a bundle has while it is checked: deep enough that a link out of it is seen. */
const ROOT = 'http://bundle.invalid/a/b/';

/** Collects the links of a bundle's files, one file at a time, and finds those that lead nowhere when all files are known. */
export class BundleLinkCheck {
  readonly #files = new Set<string>();
  /** By target, the first address and file that lead there: links to one place are many. */
  readonly #targets = new Map<string, { file: string; address: string }>();
  readonly #broken: BrokenBundleLink[] = [];

  /** @param text only read for HTML and CSS */
  add(path: string, text: () => string): void {
    this.#files.add(path);
    const links = path.endsWith('.html') ? documentLinks(text()) : path.endsWith('.css') ? styleLinks(text()) : [];
    for (const { address, fetched } of links) this.#note(path, address, fetched);
  }

  #note(file: string, address: string, fetched: boolean): void {
    if (address === '' || address.startsWith('#') || /^(?:data|blob|mailto|tel|javascript|about):/i.test(address)) return;
    const refuse = (reason: string) => this.#broken.push({ file, address, reason });
    if (SCHEME.test(address) || address.startsWith('//')) {
      if (fetched) refuse('it is fetched from another origin');
      return;
    }
    if (address.startsWith('/')) return void refuse('it starts at the root of the server, wherever the bundle is');
    const url = URL.parse(address, ROOT + encodeURI(file));
    if (!url) return void refuse('it is no address');
    if (!url.href.startsWith(ROOT)) return void refuse('it leads out of the bundle');
    const target = decodePath(url.pathname.slice(new URL(ROOT).pathname.length));
    if (!this.#targets.has(target)) this.#targets.set(target, { file, address });
  }

  /** The broken links, once every file was added. */
  broken(): BrokenBundleLink[] {
    const missing = [...this.#targets].filter(([target]) => !this.#files.has(target));
    const found = missing.map(([target, { file, address }]) => ({ file, address, reason: `there is no file ${target || '/'}` }));
    return [...this.#broken, ...found];
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
