/**
 * The id of a heading by the format's rules: lower case, white space and full stops become hyphens, apostrophes are
 * typographic, parentheses fall away, everything else stays.
 */
export function slugOf(text: string): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/[()\u0000-\u001f\u007f]/g, (char) => (char === '\n' || char === '\t' ? '-' : ''))
    .replace(/[\s.]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'section' : slug;
}

/** The id that code hosting sites give the heading, which links from elsewhere use. */
export function plainSlugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The other ids that links use for the headings of a page. */
export class PlainSlugs {
  readonly #counts = new Map<string, number>();

  /**
   * What the next heading of that text is called elsewhere: by code hosting sites, which number a second one from 1, by tools
   * that make one hyphen of several, by those that leave out underscores at the ends (`_meta`, `__init__`), and by authors
   * who leave out the signs of our own id (`initialize(options?)`).
   */
  aliases(text: string): string[] {
    const plain = plainSlugOf(text);
    if (plain === '') return [];
    const count = this.#counts.get(plain) ?? 0;
    this.#counts.set(plain, count + 1);
    if (count > 0) return [`${plain}-${count}`];
    const single = plain.replace(/-{2,}/g, '-').replace(/^-|-$/g, '');
    const bare = single.replace(/^_+/, '').replace(/(?<!_)_+$/, '');
    const unsigned = slugOf(text).replace(/[^\p{L}\p{M}\p{N}\p{Pc}-]/gu, '');
    return [...new Set([plain, single, bare, unsigned])].filter((alias) => alias !== '');
  }
}

/** Gives out ids, each once on a page: the second `install` is `install-2`. */
export class IdRegister {
  readonly #used = new Map<string, number>();

  /** An id that starts with `wanted` and is not taken. */
  claim(wanted: string): string {
    const count = this.#used.get(wanted);
    if (count === undefined) {
      this.#used.set(wanted, 1);
      return wanted;
    }
    let next = count + 1;
    while (this.#used.has(`${wanted}-${next}`)) next++;
    this.#used.set(wanted, next);
    this.#used.set(`${wanted}-${next}`, 1);
    return `${wanted}-${next}`;
  }

  has(id: string): boolean {
    return this.#used.has(id);
  }

  /** Notes an id that the author wrote. */
  add(id: string): void {
    if (!this.#used.has(id)) this.#used.set(id, 1);
  }
}
