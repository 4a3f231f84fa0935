import { nearestName } from './nearest-name.ts';

/**
 * Finds the path that a mistyped one probably meant: in the same folder, one with a similar name;
 * otherwise the only one, or the nearest, with the same name elsewhere.
 */
export class NearPaths {
  /** Folder → names in it. */
  readonly #folders = new Map<string, string[]>();
  /** Name → paths. */
  readonly #places = new Map<string, string[]>();
  #list: (() => Iterable<string>) | undefined;

  /**
   * @param list returns the paths, with `/` between words; called once, when the first one is
   *   mistyped
   */
  constructor(list: () => Iterable<string>) {
    this.#list = list;
  }

  find(path: string): string | undefined {
    for (const candidate of new Set(this.#list?.())) {
      const place = split(candidate);
      add(this.#folders, place.folder, place.name);
      add(this.#places, place.name, candidate);
    }
    this.#list = undefined;
    const { folder, name } = split(path);
    if (name === '') return undefined;
    const beside = nearestName(name, this.#folders.get(folder) ?? []);
    if (beside !== undefined) return folder + beside;
    const elsewhere = this.#places.get(name) ?? [];
    return elsewhere.length === 1 ? elsewhere[0] : nearestName(path, elsewhere);
  }
}

function split(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, at), name: path.slice(at) };
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
