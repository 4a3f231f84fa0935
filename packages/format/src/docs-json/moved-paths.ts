import type { JsonObject, JsonValue, PlaceMap } from '../json-document.ts';
import { joinPath } from '../links.ts';
import type { TextSource } from './resolve-refs.ts';
import { inFolder } from './site-sources.ts';

const OUTSIDE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?])/i;
const OPERATION = /^(?:(\S+)\s+)?(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|WEBHOOK)\s/i;
const IMAGE = /^(?:\/|\.{1,2}\/)|\.(?:svg|png|jpe?g|webp|gif|avif|ico)$/i;
/** What the settings write for a file or a page; other texts may have the name of one by chance. */
const ADDRESS = /^(?:\/|\.{1,2}\/)|^[^\s]{1,300}\.[a-z\d]{2,5}$/i;
const STYLES = new Set(['none', 'accordion', 'card']);
const REFERENCES = new Map([
  ['openapi', 'api-reference'],
  ['asyncapi', 'api-reference'],
  ['graphql', 'graphql-reference'],
  ['sdk', 'sdk-reference'],
]);

export const isRecord = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether an address is no path of the site. */
export const isOutside = (address: string) => OUTSIDE.test(address);

/** Copies parts of the settings of a source, with the paths in them moved into its folder. */
export class MovedPaths {
  readonly #tree: TextSource;
  readonly #places: PlaceMap;

  constructor(tree: TextSource, places: PlaceMap) {
    this.#tree = tree;
    this.#places = places;
  }

  /** Copies a part of a navigation, with every path in it moved into the folder of its source. */
  move(folder: string, value: JsonValue, key: string): JsonValue {
    if (typeof value === 'string') return this.#moveText(folder, value, key);
    if (Array.isArray(value)) {
      const list = value.map((item) => this.move(folder, item, key));
      for (const index of list.keys()) this.copyPlace(value, index, list);
      return list;
    }
    if (!isRecord(value)) return value;
    return this.copyMembers(value, (member, name) => {
      // An icon is a name, or an object with one.
      const moved = this.move(folder, member, key === 'icon' && name === 'name' ? 'icon' : name);
      const hasEntries = value.pages !== undefined || value.groups !== undefined;
      return REFERENCES.has(name) ? withFolder(folder, moved, name, hasEntries) : moved;
    });
  }

  #moveText(folder: string, text: string, key: string): string {
    switch (key) {
      case 'pages':
      case 'groups':
      case 'root':
        return moveEntry(folder, text);
      case 'openapi':
      case 'asyncapi':
      case 'graphql':
      case 'sdk':
      case 'source':
      case 'overlays':
        return OUTSIDE.test(text.trim()) ? text : inFolder(folder, joinPath('', text.trim()));
      case 'directory':
        return STYLES.has(text) ? text : inFolder(folder, joinPath('', text));
      case 'icon':
        return IMAGE.test(text) && !OUTSIDE.test(text) ? moveAddress(folder, text) : text;
      case 'href':
        return this.#hasPage(folder, text) ? moveAddress(folder, text) : text;
      default:
        return text;
    }
  }

  /** Copies settings; addresses of files and pages that are in the folder are moved into it. */
  moveFiles(folder: string, value: JsonValue): JsonValue {
    if (typeof value === 'string')
      return ADDRESS.test(value) && this.#hasPage(folder, value)
        ? moveAddress(folder, value)
        : value;
    if (Array.isArray(value)) {
      const list = value.map((item) => this.moveFiles(folder, item));
      for (const index of list.keys()) this.copyPlace(value, index, list);
      return list;
    }
    return isRecord(value)
      ? this.copyMembers(value, (member) => this.moveFiles(folder, member))
      : value;
  }

  #hasPage(folder: string, address: string): boolean {
    if (OUTSIDE.test(address)) return false;
    const path = inFolder(folder, joinPath('', address.replace(/[?#][\s\S]*/, '')));
    return ['', '.mdx', '.md', '/index.mdx', '/index.md'].some(
      (ending) => this.#tree.readText(path + ending) !== undefined,
    );
  }

  copyMembers(from: JsonObject, change: (member: JsonValue, key: string) => JsonValue): JsonObject {
    const copy: JsonObject = {};
    for (const [key, member] of Object.entries(from)) {
      copy[key] = change(member, key);
      this.copyPlace(from, key, copy);
    }
    return copy;
  }

  copyPlace(from: object, key: string | number, to: object, toKey = key): void {
    const place = this.#places.get(from, key);
    if (place) this.#places.set(to, toKey, place);
  }
}

function moveEntry(folder: string, entry: string): string {
  const operation = OPERATION.exec(entry.trim());
  if (!operation) return OUTSIDE.test(entry) ? entry : inFolder(folder, joinPath('', entry));
  const [, description] = operation;
  return description === undefined || OUTSIDE.test(description)
    ? entry
    : entry.trim().replace(description, () => inFolder(folder, joinPath('', description)));
}

/** Moves an address of the site; its query and its anchor stay. */
export function moveAddress(folder: string, address: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)([\s\S]*)$/.exec(address) ?? [];
  return `/${inFolder(folder, joinPath('', path)).replace(/\/$/, '')}${rest}`;
}

/**
 * Adds the folder of generated pages where the default one would be outside the source: of files,
 * the compiler knows the source by their path.
 */
function withFolder(
  folder: string,
  setting: JsonValue,
  key: string,
  hasEntries: boolean,
): JsonValue {
  if (Array.isArray(setting))
    return setting.map((item) => withFolder(folder, item, key, hasEntries));
  const directory = `${folder}/${REFERENCES.get(key)}`;
  const isSymbol = key === 'graphql' || key === 'sdk';
  if (isRecord(setting)) return isSymbol ? { directory, ...setting } : setting;
  const isElsewhere = typeof setting === 'string' && OUTSIDE.test(setting);
  return isSymbol || (isElsewhere && !hasEntries) ? { source: setting, directory } : setting;
}
