import type { Diagnostic } from '../diagnostics.ts';
import type { JsonObject, JsonValue, Place, PlaceMap } from '../json-document.ts';
import { joinPath } from '../links.ts';
import { isOutside, isRecord, MovedPaths, moveAddress } from './moved-paths.ts';
import type { TextSource } from './resolve-refs.ts';
import { type SiteSource, sourceOf } from './site-sources.ts';

/** A source of a site with its settings, in the form of docs.json and without references. */
export interface SourceSettings {
  /** Undefined for a base source without a path. */
  source?: SiteSource;
  file: string;
  settings: JsonObject;
  navigation: JsonObject;
}

interface Composition {
  /** The base source first. */
  sources: readonly SourceSettings[];
  tree: TextSource;
  /** Receives the positions of what is copied. */
  places: PlaceMap;
  diagnostics: Diagnostic[];
}

/** The settings that every source contributes to; all others are those of the base source. */
export const COMPOSED_SETTINGS: ReadonlySet<PropertyKey> = new Set([
  'navigation',
  'variables',
  'redirects',
]);

/**
 * Composes the settings of a site of several sources: those of the base source, with the navigation
 * of each source, its variables, its redirects and its API descriptions. Every path of a further
 * source is moved into its folder.
 */
export function composeSettings(composition: Composition): JsonObject {
  return new Composer(composition).compose();
}

class Composer {
  readonly #composition: Composition;
  readonly #base: SourceSettings;
  readonly #others: readonly SourceSettings[];
  readonly #paths: MovedPaths;
  readonly #placed = new Set<SourceSettings>();

  constructor(composition: Composition) {
    this.#composition = composition;
    this.#paths = new MovedPaths(composition.tree, composition.places);
    const [base, ...others] = composition.sources;
    this.#base = base as SourceSettings;
    this.#others = others;
  }

  compose(): JsonObject {
    const settings = this.#baseSettings();
    const lists = (['openapi', 'asyncapi'] as const).map((kind) => [
      kind,
      [this.#base, ...this.#others].flatMap((source) => this.#descriptions(source, kind)),
    ]);
    const api = isRecord(settings.api) ? settings.api : {};
    const added = Object.fromEntries(
      lists.flatMap(([kind, list]) => {
        const key = kind as string;
        const before = this.#base.source ? [] : (api[key] ?? settings[key] ?? []);
        return list?.length ? [[key, [before, list].flat() as JsonValue]] : [];
      }),
    );
    return {
      ...settings,
      ...(Object.keys(added).length > 0 && { api: { ...api, ...added } }),
      navigation: this.#navigation(),
      variables: this.#variables(),
      redirects: this.#redirects(),
    };
  }

  /** The files and pages that the base source names are below its path, if it has one. */
  #baseSettings(): JsonObject {
    const { settings, source } = this.#base;
    if (!source) return settings;
    return this.#paths.copyMembers(settings, (value, key) =>
      COMPOSED_SETTINGS.has(key) ? value : this.#paths.moveFiles(source.path, value),
    );
  }

  #navigation(): JsonObject {
    const navigation = this.#navigationOf(this.#base, [this.#base]);
    const added = this.#others
      .filter((source) => !this.#placed.has(source))
      .flatMap((source) => this.#products(source));
    if (added.length === 0) return navigation;
    const { global, ...rest } = navigation;
    const products = Array.isArray(navigation.products)
      ? [...navigation.products]
      : [this.#product(this.#base, rest)];
    for (const [index] of products.entries()) {
      if (Array.isArray(navigation.products))
        this.#paths.copyPlace(navigation.products, index, products);
      else this.#place(products, index, this.#base);
    }
    for (const { product, source } of added) {
      this.#place(products, products.length, source);
      products.push(product);
    }
    return Array.isArray(navigation.products)
      ? { ...navigation, products }
      : { products, ...(global !== undefined && { global }) };
  }

  /** Returns the products of a source that nothing places: its own, or all of it as one. */
  #products(source: SourceSettings): { product: JsonValue; source: SourceSettings }[] {
    const navigation = this.#navigationOf(source, [this.#base, source]);
    const products = Array.isArray(navigation.products)
      ? navigation.products
      : [this.#product(source, navigation)];
    return products.map((product) => ({ product, source }));
  }

  #product(source: SourceSettings, navigation: JsonObject): JsonObject {
    const { name } = source.settings;
    const label = typeof name === 'string' && name.trim() !== '' ? name : source.source?.name;
    const openapi = this.#descriptions(source, 'openapi').map((description) =>
      isRecord(description) ? (description.source ?? '') : description,
    );
    const product: JsonObject = {
      product: label ?? 'Documentation',
      ...(source.source && openapi.length > 0 && { openapi: openapi.flat() }),
      ...navigation,
    };
    for (const key of Object.keys(product)) this.#place(product, key, source);
    for (const key of Object.keys(navigation)) this.#paths.copyPlace(navigation, key, product);
    return product;
  }

  #navigationOf(source: SourceSettings, chain: readonly SourceSettings[]): JsonObject {
    const moved = source.source
      ? this.#paths.move(source.source.path, source.navigation, 'navigation')
      : source.navigation;
    const placed = this.#placeSources(moved, 'navigation', chain);
    return isRecord(placed) ? placed : {};
  }

  /** Replaces each `{"sourceRef": …}` in a list by what that source has in the list of that name. */
  #placeSources(value: JsonValue, key: string, chain: readonly SourceSettings[]): JsonValue {
    if (!Array.isArray(value))
      return isRecord(value)
        ? this.#paths.copyMembers(value, (member, name) => this.#placeSources(member, name, chain))
        : value;
    const list: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      const isReference = isRecord(item) && typeof item.sourceRef === 'string';
      const entries = isReference
        ? this.#referenced(item, key, chain)
        : [this.#placeSources(item, key, chain)];
      for (const entry of entries) {
        this.#paths.copyPlace(value, index, list, list.length);
        list.push(entry);
      }
    }
    return list;
  }

  #referenced(item: JsonObject, key: string, chain: readonly SourceSettings[]): JsonValue[] {
    const name = String(item.sourceRef);
    const place = this.#composition.places.get(item, 'sourceRef');
    const source = this.#others.find((other) => isNamed(other.source, name));
    if (!source) {
      const names = this.#others.map((other) => other.source?.name).join(', ');
      const message = `"sourceRef" names ${name.slice(0, 100)}, which is no further source of this site.`;
      this.#report('error', 'unknown-source', message, `Name one of its sources: ${names}.`, place);
      return [];
    }
    if (chain.includes(source)) {
      const message = `"sourceRef" to ${name} forms a cycle.`;
      const remedy = 'Let only one of the two sources refer to the other.';
      this.#report('error', 'unknown-source', message, remedy, place);
      return [];
    }
    const list = listIn(this.#navigationOf(source, [...chain, source]), key);
    if (list.length === 0) {
      const message = `"sourceRef" to ${name} is in "${key}", which the navigation of that source does not have.`;
      const remedy = `Add "${key}" to the navigation in ${source.file}, or refer to it in a list that it has.`;
      this.#report('error', 'unknown-source', message, remedy, place);
      return [];
    }
    this.#placed.add(source);
    return list;
  }

  /** The value that the base source sets counts, then that of the first source. */
  #variables(): JsonObject {
    const variables: JsonObject = {};
    const owners = new Map<string, SourceSettings>();
    for (const source of [this.#base, ...this.#others]) {
      const values = source.settings.variables;
      if (!isRecord(values)) continue;
      for (const [name, value] of Object.entries(values)) {
        const owner = owners.get(name);
        if (!owner) {
          owners.set(name, source);
          variables[name] = value;
          this.#paths.copyPlace(values, name, variables);
        } else if (variables[name] !== value) {
          const message = `The variable "${name.slice(0, 60)}" has another value in ${owner.file}, which is used on all pages.`;
          const severity = owner === this.#base ? 'info' : 'warning';
          const place = this.#composition.places.get(values, name) ?? { file: source.file };
          const remedy = 'Rename one of the two, or set it in the base source.';
          this.#report(severity, 'source-conflict', message, remedy, place);
        }
      }
    }
    return variables;
  }

  #redirects(): JsonValue {
    const { redirects } = this.#base.settings;
    if (redirects !== undefined && !Array.isArray(redirects)) return redirects;
    const all: JsonValue[] = [];
    const add = (list: JsonValue[]) => {
      for (const [index, rule] of list.entries()) {
        this.#paths.copyPlace(list, index, all, all.length);
        all.push(rule);
      }
    };
    for (const { source, settings } of [this.#base, ...this.#others]) {
      if (!Array.isArray(settings.redirects)) continue;
      if (!source) {
        add(settings.redirects);
        continue;
      }
      const { path } = source;
      const move = (address: string) =>
        isOutside(address) || this.#isOfOther(address) ? address : moveAddress(path, address);
      const moved = settings.redirects.map((rule) =>
        isRecord(rule)
          ? this.#paths.copyMembers(rule, (value, key) => {
              if (typeof value !== 'string') return value;
              if (key === 'source') return moveAddress(path, value);
              return key === 'destination' ? move(value) : value;
            })
          : rule,
      );
      for (const index of moved.keys()) this.#paths.copyPlace(settings.redirects, index, moved);
      add(moved);
    }
    return all;
  }

  #descriptions({ source, settings }: SourceSettings, kind: 'openapi' | 'asyncapi'): JsonValue[] {
    const api = isRecord(settings.api) ? settings.api : {};
    const written = api[kind] ?? settings[kind];
    if (!source || written === undefined) return [];
    return [this.#paths.move(source.path, written, kind)].flat();
  }

  #isOfOther(address: string): boolean {
    const sources = [this.#base, ...this.#others].flatMap(({ source }) => source ?? []);
    return sourceOf(sources, `${joinPath('', address)}/`) !== undefined;
  }

  #place(container: object, key: string | number, { file }: SourceSettings): void {
    this.#composition.places.set(container, key, { file, line: 1, column: 1 });
  }

  #report(
    severity: Diagnostic['severity'],
    code: string,
    message: string,
    remedy: string,
    place: Place | { file: string } = { file: this.#base.file },
  ): void {
    this.#composition.diagnostics.push({ severity, code, message, remedy, ...place });
  }
}

/** A folder without a repository elsewhere has only its own name. */
function isNamed(source: SiteSource | undefined, name: string): boolean {
  const sourceName = source?.name.toLowerCase();
  const reference = name.trim().toLowerCase();
  return (
    sourceName === reference ||
    (sourceName?.includes('/') === false && reference.endsWith(`/${sourceName}`))
  );
}

/** What a source offers for a list: groups are pages too, and a menu may be in its groups. */
function listIn(navigation: JsonObject, key: string): JsonValue[] {
  const global = isRecord(navigation.global) ? navigation.global : {};
  const lists =
    key === 'menu'
      ? [navigation.menu, ...menusIn(navigation.groups)]
      : key === 'pages' || key === 'groups'
        ? [navigation.groups, navigation.pages]
        : [navigation[key] ?? global[key]];
  return lists.flatMap((list) => (Array.isArray(list) ? list : []));
}

function menusIn(groups: JsonValue | undefined): JsonValue[][] {
  return (Array.isArray(groups) ? groups : []).flatMap((group) =>
    isRecord(group) && Array.isArray(group.menu) ? [group.menu] : [],
  );
}
