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
