import type * as z from 'zod';
import { parseLeniently } from '../docs-json/parse-leniently.ts';
import {
  graphqlSource,
  hexColor,
  normalizeSpecPath,
  openApiSources,
  safeHref,
  sdkSource,
  withLeadingSlash,
} from '../docs-json/settings/schema-parts.ts';
import type { NavigationSource, OpenApiSource, SymbolSource } from '../docs-json/site-config.ts';
import type { GeneratedPage } from '../generated-page.ts';
import { isObject, type JsonObject } from '../json-value.ts';
import { didYouMean } from '../nearest-name.ts';
import { isLanguage, languageName } from './language-names.ts';
import type {
  DirectoryStyle,
  Division,
  DivisionKind,
  Group,
  NavigationNode,
  PageLink,
} from './navigation.ts';
import type { BuiltNavigation, NavigationContext, Spot } from './navigation-context.ts';
import { entryProblem, flattenList, pathsOf, sourcesWithFolder } from './navigation-entries.ts';
import { NavigationReport } from './navigation-report.ts';
import { DIVISIONS, directoryOf, finishSiblings, sharedFields, slugOf } from './node-fields.ts';
import {
  groupByTag,
  isSameOperation,
  normalizePagePath,
  OperationLookup,
  parseOperationEntry,
} from './operation-lookup.ts';

/** Stands for a reference with an invalid setting: keeps its place in the menu. */
const UNUSABLE: SymbolSource = { format: '', source: '', directory: 'sdk-reference' };

/**
 * Builds the menu tree from the `navigation` object. Divisions nest in any order; entries without a
 * page are reported and dropped, as are containers that end up empty.
 * @throws DocentError `build_failed` if no page is left
 */
export function buildNavigation(
  source: NavigationSource,
  context: NavigationContext,
): BuiltNavigation {
  return new NavigationBuilder(context).build(source);
}

/** What a node passes down to its children. */
interface Scope {
  specs: readonly OpenApiSource[];
  directory: DirectoryStyle | undefined;
  library: SymbolSource | undefined;
  /** The innermost division; undefined outside all. */
  division: JsonObject | undefined;
  /** `public` of the innermost part that has it. */
  isPublic: boolean;
}

class NavigationBuilder {
  readonly #context: NavigationContext;
  readonly #operations: OperationLookup;
  readonly #report: NavigationReport;
  readonly #pagePaths = new Set<string>();
  /** Those that entries name by their operation. */
  readonly #selected = new Set<string>();
  readonly #libraries = new Map<string, SymbolSource>();
  readonly #publicPaths = new Set<string>();
  /** Descriptions without operations, each with the number of entries that need one. */
  readonly #empty = new Map<string, { spot: Spot; count: number }>();
  /** How many entries used an API description until now. */
  #apiEntries = 0;
  /** By division: the pages that its menu lists, each with the place of its first entry. */
  readonly #listed = new Map<Scope['division'], Map<string, string>>();
  /** Entries without a page, already reported. */
  readonly #missing = new Set<string>();

  constructor(context: NavigationContext) {
    this.#context = context;
    this.#report = new NavigationReport(context);
    this.#operations = new OperationLookup((source) => context.apiPages(source));
  }

  build(source: JsonObject): BuiltNavigation {
    const outside: Scope = {
      specs: this.#context.defaultOpenApi,
      directory: undefined,
      library: undefined,
      division: undefined,
      isPublic: false,
    };
    const scope = this.#scopeOf(source, 'navigation', outside);
    const roots = this.#children(source, 'navigation', scope);
    const global = isObject(source.global)
      ? this.#divisions(source.global, 'navigation.global', scope)
      : [];
    this.#report.emptyDescriptions(this.#empty);
    if (this.#pagePaths.size === 0) this.#report.fail();
    return {
      navigation: { roots, global },
      pagePaths: [...this.#pagePaths],
      libraries: this.#libraries,
      publicPaths: this.#publicPaths,
      diagnostics: this.#report.diagnostics,
    };
  }

  /** @param root the node's own page, which is not one of its entries */
  #children(
    node: JsonObject,
    path: string,
    scope: Scope,
    root: readonly PageLink[] = [],
  ): NavigationNode[] {
    const listed = [
      ...this.#divisions(node, path, scope),
      ...this.#entries(node, 'pages', path, scope),
      ...this.#entries(node, 'groups', path, scope),
    ];
    const has = (list: string) => Array.isArray(node[list]) && node[list].length > 0;
    if (has('pages') || has('groups'))
      listed.push(...this.#appended(node, [...root, ...listed], scope));
    else if (!DIVISIONS.some(({ list }) => has(list)))
      listed.push(...this.#generated(node, path, scope));
    return [...listed, ...this.#symbols(node, path, listed, scope)];
  }

  #divisions(node: JsonObject, path: string, scope: Scope): Division[] {
    return DIVISIONS.flatMap(({ list, kind, label }) => {
      const built: Division[] = [];
      for (const [item, spot] of this.#list(node, list, path)) {
        if (!isObject(item))
          this.#report.invalid(spot, `each ${kind} must be an object with "${label}"`);
        else built.push(...this.#division(item, spot, kind, label, scope));
      }
      const kept = built.filter(
        (division) => division.children.length > 0 || division.href !== undefined,
      );
      finishSiblings(kept);
      return kept;
    });
  }

  #division(
    item: JsonObject,
    spot: Spot,
    kind: DivisionKind,
    labelKey: string,
    inherited: Scope,
  ): Division[] {
    const written = item[labelKey];
    if (typeof written !== 'string' || written.trim() === '') {
      const isOld = typeof item.name === 'string' && typeof item.url === 'string';
      const names = isOld ? `"${labelKey}", and "href" instead of "url"` : `"${labelKey}"`;
      this.#report.invalid(spot, `each ${kind} needs a text in ${names}`);
      return [];
    }
    const name = written.trim();
    const division: Division = {
      kind,
      label: kind === 'language' ? languageName(name) : name,
      id: kind === 'language' ? name : slugOf(name),
      hidden: item.hidden === true,
      default: item.default === true,
      children: [],
      ...sharedFields(item),
    };
    if (typeof item.description === 'string') division.description = item.description;
    const color = colorOf(item.color);
    if (color) division.color = color;
    if (typeof item.href === 'string') {
      const href = safeHref(item.href);
      if (href === undefined)
        this.#report.invalid(
          spot,
          `"href" must be a site path or an https address, not "${item.href.slice(0, 60)}"`,
        );
      else division.href = withLeadingSlash(href);
    }
    if (kind === 'language' && !isLanguage(name)) this.#report.unknownLanguage(name, item, spot);
    const scope = { ...this.#scopeOf(item, spot.path, inherited), division: item };
    division.children = this.#children(item, spot.path, scope);
    const global = isObject(item.global)
      ? this.#divisions(item.global, `${spot.path}.global`, scope)
      : [];
    if (global.length > 0) division.global = global;
    return [division];
  }

  #entries(
    node: JsonObject,
    key: 'pages' | 'groups',
    path: string,
    scope: Scope,
  ): NavigationNode[] {
    const nodes: NavigationNode[] = [];
    for (const [item, spot] of this.#list(node, key, path)) {
      if (typeof item === 'string') nodes.push(...this.#page(item, spot, scope));
      else if (isObject(item) && 'group' in item) nodes.push(...this.#group(item, spot, scope));
      else this.#report.invalid(spot, entryProblem(item, key));
    }
    return nodes;
  }

  #group(item: JsonObject, spot: Spot, inherited: Scope): Group[] {
    const scope = this.#scopeOf(item, spot.path, inherited);
    const apiEntries = this.#apiEntries;
    const ownPage =
      typeof item.root === 'string'
        ? this.#page(item.root, { container: item, key: 'root', path: `${spot.path}.root` }, scope)
        : [];
    const [root] = ownPage;
    const children = this.#children(item, spot.path, scope, ownPage);
    if (children.length === 0 && !root) return [];
    const label = typeof item.group === 'string' ? item.group.trim() : '';
    if (item.openapi !== undefined && this.#apiEntries === apiEntries)
      this.#report.unusedSetting(item, spot, label);
    return [
      {
        kind: 'group',
        label,
        expanded: item.expanded === true || item.collapsed === false,
        hidden: item.hidden === true,
        children,
        ...(root
          ? { root: root.path, ...(scope.directory ? { directory: scope.directory } : {}) }
          : {}),
        ...sharedFields(item),
      },
    ];
  }

  /** Returns the page of an entry; none, with a warning, if there is no such page. */
  #page(entry: string, spot: Spot, { specs, library, division, isPublic }: Scope): PageLink[] {
    const isOperation = parseOperationEntry(entry) !== undefined;
    const path = isOperation
      ? this.#operationPath(entry, spot, specs)
      : this.#filePath(entry, spot);
    if (isOperation || (path !== undefined && this.#context.subjectOf(path) === 'api'))
      this.#apiEntries++;
    if (path === undefined || !this.#context.isPublic(path)) return [];
    if (library && !this.#libraries.has(path)) this.#libraries.set(path, library);
    if (!isOperation && spot.key !== 'root') this.#reportRepeated(path, spot, division);
    this.#pagePaths.add(path);
    if (isPublic) this.#publicPaths.add(path);
    if (isOperation) this.#selected.add(path);
    return [{ kind: 'page', path }];
  }

  /** Several menus may share a page; one menu lists it once. */
  #reportRepeated(path: string, spot: Spot, division: Scope['division']): void {
    const listed = this.#listed.get(division) ?? new Map<string, string>();
    this.#listed.set(division, listed);
    const first = listed.get(path);
    if (first === undefined) listed.set(path, spot.path);
    else {
      const message = `The menu lists the page "${path}" twice; ${first} is the first.`;
      this.#report.warn('repeated-page', spot, message, 'Remove one of the entries.');
    }
  }

  #filePath(entry: string, spot: Spot): string | undefined {
    const path = normalizePagePath(entry);
    const pagePath = [path, `${path}/index`].find((candidate) => this.#context.hasPage(candidate));
    if (pagePath !== undefined) return pagePath;
    if (this.#missing.has(path)) return undefined;
    this.#missing.add(path);
    const remedy = /^[a-z]+:\/\//i.test(entry)
      ? 'To link to another site, add a page with "url" in its frontmatter, or an anchor with "href".'
      : didYouMean(
          this.#context.nearPage?.(path),
          `Add the file ${path}.mdx, correct the entry, or remove it.`,
        );
    this.#report.warn(
      'missing-page',
      spot,
      `The navigation names the page "${entry.slice(0, 200)}", which does not exist.`,
      remedy,
    );
    return undefined;
  }

  #operationPath(
    entry: string,
    spot: Spot,
    inherited: readonly OpenApiSource[],
  ): string | undefined {
    const operation = parseOperationEntry(entry);
    if (!operation) return undefined;
    const named =
      operation.spec === undefined
        ? undefined
        : (normalizeSpecPath(operation.spec) ?? operation.spec);
    const all = [...inherited, ...this.#context.defaultOpenApi];
    const matching = all.filter((source) => source.source === named);
    const sources =
      named === undefined ? all : matching.length > 0 ? matching : [{ source: named }];
    const discovered = () =>
      named === undefined ? (this.#context.discoveredOpenApi?.() ?? []) : [];
    const page =
      this.#operations.find(operation, sources) ?? this.#operations.find(operation, discovered());
    if (page) return page.path;
    // One description that cannot be read is one problem, however many entries name its operations.
    const empty = sources.filter((source) => !this.#operations.hasAny(source));
    if (empty.length > 0) {
      // What could not be read is reported where it is read.
      if (empty.some((source) => this.#operations.isUnread(source))) return undefined;
      const name = [...new Set(empty.map((source) => source.source))].join(', ');
      const problem = this.#empty.get(name);
      if (problem) problem.count++;
      else this.#empty.set(name, { spot, count: 1 });
      return undefined;
    }
    const where =
      sources.length === 0
        ? 'no API description is set here'
        : `it is not in ${sources.map((apiSource) => apiSource.source).join(', ')}`;
    const remedy =
      sources.length === 0
        ? 'Set "openapi" on this group, on a tab around it, or in "api".'
        : 'Correct the method and the path, or remove the entry.';
    this.#report.warn(
      'missing-operation',
      spot,
      `The navigation names the operation "${entry.slice(0, 200)}", but ${where}.`,
      remedy,
    );
    return undefined;
  }

  /** Returns all pages of the descriptions on a node without entries of its own. */
  #generated(node: JsonObject, path: string, scope: Scope): NavigationNode[] {
    const sources = [
      ...(node.openapi === undefined ? [] : scope.specs),
      ...(node.asyncapi === undefined ? [] : this.#readSpecs(node, 'asyncapi', path)),
    ];
    this.#apiEntries += sources.length;
    return this.#byTag(
      sources.flatMap((source) => [...this.#operations.pages(source)]),
      scope,
    );
  }

  /**
   * Returns the pages of descriptions that a node with entries of its own gives a folder, except
   * those that the entries show. A path alone adds none: it says where the entries find their
   * operations. Nor does a description of which an entry names an operation: its author selects
   * them.
   */
  #appended(node: JsonObject, listed: readonly NavigationNode[], scope: Scope): NavigationNode[] {
    const paths = new Set(pathsOf(listed));
    const listedOperations = [...paths].flatMap((path) => this.#context.operationOf(path) ?? []);
    const pages = [node.openapi, node.asyncapi].flatMap(sourcesWithFolder).flatMap((source) => {
      const all = this.#operations.pages(source).filter((page) => page.method !== '');
      if (all.some(({ path }) => paths.has(path) && this.#selected.has(path))) return [];
      this.#apiEntries += all.length;
      return all.filter(
        (page) =>
          !paths.has(page.path) &&
          !listedOperations.some((operation) => isSameOperation(operation, page)),
      );
    });
    return this.#byTag(pages, scope);
  }

  #byTag(generated: readonly GeneratedPage[], { isPublic }: Scope): NavigationNode[] {
    const pages = generated.filter((page) => this.#context.isPublic(page.path));
    for (const { path } of pages) {
      this.#pagePaths.add(path);
      if (isPublic) this.#publicPaths.add(path);
    }
    return groupByTag(pages);
  }

  /** Returns the pages of a node's own references; they follow its entries. */
  #symbols(
    node: JsonObject,
    path: string,
    listed: readonly NavigationNode[],
    scope: Scope,
  ): NavigationNode[] {
    const { library } = scope;
    const sources: SymbolSource[] = [];
    if (node.graphql !== undefined)
      sources.push(
        this.#readSetting(graphqlSource, node, 'graphql', path) ?? {
          ...UNUSABLE,
          directory: 'graphql-reference',
        },
      );
    // An author who writes pages about some symbols of a library selects them.
    if (node.sdk !== undefined && library && !this.#hasSymbolPage(listed)) sources.push(library);
    return this.#byTag(
      sources.flatMap((source) => [...this.#context.symbolPages(source)]),
      scope,
    );
  }

  #hasSymbolPage(nodes: readonly NavigationNode[]): boolean {
    return nodes.some((node) =>
      node.kind === 'page'
        ? this.#context.subjectOf(node.path) === 'symbol'
        : this.#hasSymbolPage(node.children) ||
          (node.kind === 'group' &&
            node.root !== undefined &&
            this.#context.subjectOf(node.root) === 'symbol'),
    );
  }

  #scopeOf(node: JsonObject, path: string, inherited: Scope): Scope {
    const specs =
      node.openapi === undefined ? inherited.specs : this.#readSpecs(node, 'openapi', path);
    const library =
      node.sdk === undefined
        ? inherited.library
        : (this.#readSetting(sdkSource, node, 'sdk', path) ?? UNUSABLE);
    const isPublic = typeof node.public === 'boolean' ? node.public : inherited.isPublic;
    return {
      ...inherited,
      specs,
      directory: directoryOf(node, inherited.directory),
      library,
      isPublic,
    };
  }

  #readSpecs(node: JsonObject, key: 'openapi' | 'asyncapi', path: string): OpenApiSource[] {
    return this.#readSetting(openApiSources, node, key, path) ?? [];
  }

  /** Returns a setting of a node; undefined if it is absent or invalid, which is reported. */
  #readSetting<T>(
    schema: z.ZodType<T>,
    node: JsonObject,
    key: string,
    path: string,
  ): T | undefined {
    if (node[key] === undefined) return undefined;
    const spot: Spot = { container: node, key, path: `${path}.${key}` };
    return parseLeniently(schema, node[key], ({ expected, got }) =>
      this.#report.invalid(spot, `expected ${expected}, got ${got}`),
    );
  }

  /**
   * Returns the items of a list with their positions; flattens nested lists, which references
   * create.
   */
  #list(node: JsonObject, key: string, path: string): [item: unknown, spot: Spot][] {
    const value = node[key];
    const listSpot: Spot = { container: node, key, path: `${path}.${key}` };
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      const example = typeof value === 'string' ? `: ["${value.slice(0, 60)}"]` : '';
      this.#report.invalid(listSpot, `"${key}" must be a list${example}`);
      return [];
    }
    return flattenList(value, listSpot.path);
  }
}

/** Returns a color, or one for each appearance; undefined for other values. */
function colorOf(value: unknown): Division['color'] {
  const { light, dark } =
    typeof value === 'string' ? { light: value, dark: value } : isObject(value) ? value : {};
  const color: NonNullable<Division['color']> = {};
  const lightColor = hexColor.safeParse(light).data;
  const darkColor = hexColor.safeParse(dark).data;
  if (lightColor) color.light = lightColor;
  if (darkColor) color.dark = darkColor;
  return lightColor || darkColor ? color : undefined;
}
