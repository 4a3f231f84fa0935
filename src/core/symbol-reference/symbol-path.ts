/** Returns a name as a path segment: `createUser` and `create_user` become `create-user`. */
export function symbolSlug(name: string): string {
  const slug = name
    .slice(0, 120)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'symbol' : slug;
}

/** Makes paths unique: the second `types/user` is `types/user-2`. */
export class FreePaths {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  take(wanted: string): string {
    // A page named "index" would have the URL of its folder.
    const path = wanted.replace(/(^|\/)index$/, '$1index-page');
    let candidate = path;
    let number = this.#next.get(path) ?? 2;
    while (this.#taken.has(candidate)) candidate = `${path}-${number++}`;
    this.#next.set(path, number);
    this.#taken.add(candidate);
    return candidate;
  }
}
