import { unescapeHtml } from '../../html.ts';
import { decodeAddress } from '../../links.ts';
import { didYouMean, nearestName } from '../../nearest-name.ts';

/** A link from a page to an anchor on another one. */
export interface AnchorLink {
  /** Site path of the other page. */
  path: string;
  /** The anchor's id, as the author wrote it. */
  id: string;
  file?: string;
  line?: number;
  column?: number;
}

const TARGET = /\s(?:id="|name="(?<=<a [^<]{0,1000}))([^"]*)"/g;

/** Returns the possible link targets in a rendered page: ids, and the names of `<a name>`. */
export function idsIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(TARGET), ([, id = '']) => unescapeHtml(id)));
}

/**
 * Returns whether a link to the anchor leads to one of the ids; to a similar one, browsers that run
 * JavaScript go.
 */
export function hasAnchor(ids: ReadonlySet<string>, anchor: string): boolean {
  if (anchor === '' || anchor === 'top' || anchor.startsWith(':~:')) return true;
  return (
    ids.has(anchor) || ids.has(decodeAddress(anchor)) || similarAnchor(ids, anchor) !== undefined
  );
}

/**
 * Returns the id with the same letters and digits: what another platform, which keeps other signs,
 * made of the same heading.
 */
export function similarAnchor(ids: Iterable<string>, anchor: string): string | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const bareAnchor = bare(decodeAddress(anchor));
  return bareAnchor === '' ? undefined : [...ids].find((id) => bare(id) === bareAnchor);
}

/** How to correct a link to an anchor that the page does not have. */
export function anchorRemedy(ids: Iterable<string>, anchor: string): string {
  const meant = nearestName(decodeAddress(anchor), ids);
  return didYouMean(
    meant && `#${meant}`,
    'Correct the link, or add the id to the heading with {#id}.',
  );
}

/**
 * Returns the id of a heading by the format's rules: lower case; white space and periods become
 * hyphens, apostrophes become typographic, parentheses are removed, everything else stays.
 */
export function slugOf(text: string): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/[()\u0000-\u001f\u007f]/g, (char) => (char === '\n' || char === '\t' ? '-' : ''))
    .replace(/[\s.]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
  return slug === '' ? 'section' : slug;
}

/** Returns the id that code hosting sites give the heading, which external links use. */
export function plainSlugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Creates the alternative ids of a page's headings. */
export class PlainSlugs {
  readonly #counts = new Map<string, number>();

  /**
   * Returns the alternative ids of the next heading with that text: those of code hosting sites,
   * which number repeated ones from 1, of tools that collapse hyphens, strip outer underscores
   * (`_meta`, `__init__`) or turn them into hyphens, and of authors who omit punctuation of the
   * main id (`initialize(options?)`).
   */
  aliases(text: string): string[] {
    const plain = plainSlugOf(text);
    if (plain === '') return [];
    const count = this.#counts.get(plain) ?? 0;
    this.#counts.set(plain, count + 1);
    const dashed = plain.replace(/[-_]+/g, '-').replace(/^-|-$/g, '');
    if (count > 0) return [...new Set([plain, dashed])].map((alias) => `${alias}-${count}`);
    const single = plain.replace(/-{2,}/g, '-').replace(/^-|-$/g, '');
    const bare = single.replace(/^_+/, '').replace(/(?<!_)_+$/, '');
    const unsigned = slugOf(text).replace(/[^\p{L}\p{M}\p{N}\p{Pc}-]/gu, '');
    return [...new Set([plain, single, bare, unsigned, dashed])].filter((alias) => alias !== '');
  }
}

/** Generates unique ids for a page: the second `install` is `install-2`. */
export class IdRegister {
  readonly #used = new Map<string, number>();

  /** Returns an unused id that starts with `wanted`. */
  claim(anchorId: string): string {
    const count = this.#used.get(anchorId);
    if (count === undefined) {
      this.#used.set(anchorId, 1);
      return anchorId;
    }
    let next = count + 1;
    while (this.#used.has(`${anchorId}-${next}`)) next++;
    this.#used.set(anchorId, next);
    this.#used.set(`${anchorId}-${next}`, 1);
    return `${anchorId}-${next}`;
  }

  has(id: string): boolean {
    return this.#used.has(id);
  }

  /** Reserves an id that the author wrote. */
  add(id: string): void {
    if (!this.#used.has(id)) this.#used.set(id, 1);
  }
}
