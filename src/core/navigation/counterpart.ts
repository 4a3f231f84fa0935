import type { Division } from './navigation.ts';
import { folderOf } from './slices.ts';

/** Finds the page of a version, language or dropdown that corresponds to a page of another. */
export class CounterpartFinder {
  readonly #prefixes = new Map<Division, string>();
  readonly #isIn: (path: string, division: Division) => boolean;

  /** @param isIn whether the page is shown in that division */
  constructor(isIn: (path: string, division: Division) => boolean) {
    this.#isIn = isIn;
  }

  /** Returns the page of `to` at the same place in the folders as `path` of `from`, or undefined. */
  find(path: string, from: Division, to: Division): string | undefined {
    for (const candidate of this.#candidates(path, from, to)) {
      if (candidate !== path && this.#isIn(candidate, to)) return candidate;
    }
    return undefined;
  }

  /** Returns the common folder of a division's pages, with a trailing slash; empty if there is none. */
  prefix(division: Division): string {
    const known = this.#prefixes.get(division);
    if (known !== undefined) return known;
    const prefix = folderOf(division);
    this.#prefixes.set(division, prefix);
    return prefix;
  }

  /** `zh/a/b` → `a/b`, `v2/a` → `v3/a`, `docs/v2/a` → `docs/v3/a`, `a` → `zh/a`; most likely first. */
  *#candidates(path: string, from: Division, to: Division): Generator<string> {
    const fromPrefix = this.prefix(from);
    if (path.startsWith(fromPrefix)) yield this.prefix(to) + path.slice(fromPrefix.length);
    const segments = path.split('/');
    const position = segments.findIndex((segment) => isNameOf(segment, from));
    const names = new Set([to.id, to.label, to.id.toLowerCase()]);
    for (const name of names) {
      if (position >= 0) yield segments.with(position, name).join('/');
      else yield `${name}/${path}`;
    }
    if (position >= 0) yield segments.toSpliced(position, 1).join('/');
  }
}

function isNameOf(segment: string, division: Division): boolean {
  return segment === division.id || segment === division.label || segment === division.id.toLowerCase();
}
