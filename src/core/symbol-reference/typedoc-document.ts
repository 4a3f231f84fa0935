import { flagAt, isObject, type JsonObject, listAt, objectAt, textAt, valueAt } from '../api-reference/json-value.ts';
import {
  FreePaths,
  type SymbolContent,
  type SymbolDocument,
  type SymbolEntry,
  type SymbolName,
  summaryOf,
  symbolSlug,
} from './symbol-document.ts';
import { type LinkResolver, readComment } from './typedoc-comment.ts';
import { type Reflection, TypedocWriter } from './typedoc-content.ts';
import { GROUPS, kindOf, type ReflectionKind } from './typedoc-type.ts';

/** Limits: deeper namespaces and further symbols are ignored. */
const MAX_DEPTH = 20;
const MAX_SYMBOLS = 20_000;

/** Words by which an author may refer to a member. */
const MEMBER_KINDS: ReadonlyMap<ReflectionKind, string> = new Map([
  ['method', 'method'],
  ['property', 'property'],
  ['accessor', 'property'],
  ['enumMember', 'property'],
]);

/**
 * Builds the reference of a library from TypeDoc's JSON, versions 0.20 and later: a page for each module, namespace, class,
 * interface, function, type, enum and variable.
 * @throws Error that says what is invalid
 */
export function readTypedocDocument(text: string): SymbolDocument {
  const root: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (!isObject(root) || !Array.isArray(valueAt(root, 'children')) || valueAt(root, 'id') === undefined)
    throw new Error('it is not the output of "typedoc --json"');
  return new TypedocDocument(root);
}

/** The position of a reflection. */
interface Place {
  modules: readonly string[];
  namespaces: readonly string[];
  depth: number;
}

class TypedocDocument implements SymbolDocument {
  readonly entries: readonly SymbolEntry[];
  readonly #reflections = new Map<string, Reflection>();
  readonly #entries = new Map<string, SymbolEntry>();
  /** Number of a reflection → id of the symbol whose page shows it, and its anchor there. */
  readonly #idsByNumber = new Map<number, string>();
  /** `class Client` → id, for authors who omit the module; the bare name too, for links. */
  readonly #idsByName = new Map<string, string>();
  readonly #paths = new FreePaths();
  readonly #hasModules: boolean;

  constructor(root: JsonObject) {
    this.#hasModules = listAt(root, 'children').some((child) => kindOf(child) === 'module');
    this.#addChildren(root, { modules: [], namespaces: [], depth: 0 });
    this.entries = [...this.#entries.values()];
    this.#addMembers();
  }

  find({ kind, name, parent }: SymbolName): SymbolEntry | undefined {
    const id = this.#idsByName.get(`${kind} ${parent === undefined ? name : `${parent}.${name}`}`) ?? '';
    const member = this.#reflections.get(id);
    return this.#entries.get(id) ?? (member && this.#entryOf(member, [], ''));
  }

  content(id: string, pathOf: (id: string) => string | undefined): SymbolContent {
    const reflection = this.#reflections.get(id);
    if (!reflection) throw new RangeError(`The reference has no ${id}`);
    const path = (target: string | undefined) => (target === undefined ? undefined : pathOf(target));
    const links: LinkResolver = {
      pathOfReflection: (number) => path(this.#idsByNumber.get(number)),
      pathOfName: (name) => path(this.#idsByName.get(name)),
    };
    return new TypedocWriter(links).content(reflection);
  }

  #addChildren(holder: JsonObject, place: Place): void {
    if (place.depth > MAX_DEPTH) return;
    const children = [...listAt(holder, 'documents'), ...listAt(holder, 'children')].filter(isObject);
    const byKind = Map.groupBy(children, kindOf);
    for (const child of byKind.get('module') ?? []) this.#addModule(child, place);
    for (const kind of GROUPS.keys()) for (const child of byKind.get(kind) ?? []) this.#addSymbol(kind, child, place);
  }

  #addModule(raw: JsonObject, place: Place): void {
    const name = textAt(raw, 'name') ?? 'module';
    const modules = [...place.modules, name];
    const group = modules.join(' / ');
    this.#add({ kind: 'module', name: group, raw, id: `module ${group}` }, [group], modules.map(symbolSlug).join('/'));
    this.#addChildren(raw, { modules, namespaces: [], depth: place.depth + 1 });
  }

  #addSymbol(kind: ReflectionKind, raw: JsonObject, place: Place): void {
    const group = GROUPS.get(kind);
    if (!group || flagAt(objectAt(raw, 'flags'), 'isPrivate')) return;
    const own = textAt(raw, 'name') ?? 'symbol';
    const name = [...place.namespaces, own].join('.');
    const module = place.modules.join(' / ');
    const groups = place.modules.length > 0 ? [module, group] : [group];
    const folder = [...place.modules.map(symbolSlug), group.toLowerCase(), ...place.namespaces.map(symbolSlug)].join('/');
    const prefix = place.modules.length > 0 && this.#hasModules ? `${module}/` : '';
    this.#add({ kind, name, raw, id: `${kind} ${prefix}${name}` }, groups, `${folder}/${symbolSlug(own)}`);
    if (kind === 'namespace')
      this.#addChildren(raw, { ...place, namespaces: [...place.namespaces, own], depth: place.depth + 1 });
  }

  #add(reflection: Reflection, groups: readonly string[], path: string): void {
    if (this.#reflections.size >= MAX_SYMBOLS) return;
    const number = valueAt(reflection.raw, 'id');
    let { id } = reflection;
    for (let count = 2; this.#reflections.has(id); count++) id = `${reflection.id} ${count}`;
    this.#reflections.set(id, { ...reflection, id });
    this.#entries.set(id, this.#entryOf({ ...reflection, id }, groups, this.#paths.take(path)));
    this.#name(id, `${reflection.kind} ${reflection.name}`, reflection.name, number);
  }

  #entryOf(reflection: Reflection, groups: readonly string[], path: string): SymbolEntry {
    const { id, name, raw } = reflection;
    const holders = [raw, ...listAt(raw, 'signatures'), valueAt(raw, 'getSignature')];
    const comments = holders.map((holder) => readComment(holder, NO_LINKS));
    const description = summaryOf(comments.find(({ summary }) => summary !== '')?.summary);
    const deprecated = isDeprecated(comments.map((one) => one.deprecated));
    return { id, title: name, description, deprecated, groups, path };
  }

  /** Methods and properties: pages can document one, and links go to the page of the container. */
  #addMembers(): void {
    for (const { raw, name, id } of [...this.#reflections.values()]) {
      for (const child of listAt(raw, 'children')) {
        const kind = kindOf(child);
        const word = kind && MEMBER_KINDS.get(kind);
        if (!isObject(child) || kind === undefined || word === undefined) continue;
        const own = `${name}.${textAt(child, 'name') ?? ''}`;
        const memberId = `${word} ${id.slice(id.indexOf(' ') + 1)}.${textAt(child, 'name') ?? ''}`;
        if (!this.#reflections.has(memberId)) this.#reflections.set(memberId, { kind, name: own, raw: child, id: memberId });
        if (!this.#idsByName.has(`${word} ${own}`)) this.#idsByName.set(`${word} ${own}`, memberId);
        this.#name(id, '', own, valueAt(child, 'id'));
        for (const signature of listAt(child, 'signatures')) this.#name(id, '', own, valueAt(signature, 'id'));
      }
    }
  }

  /** Registers a symbol by its names and its number. */
  #name(id: string, full: string, bare: string, number: unknown): void {
    for (const name of [full, bare]) if (name !== '' && !this.#idsByName.has(name)) this.#idsByName.set(name, id);
    if (typeof number === 'number' && !this.#idsByNumber.has(number)) this.#idsByNumber.set(number, id);
  }
}

const NO_LINKS: LinkResolver = { pathOfReflection: () => undefined, pathOfName: () => undefined };

/** Whether a function is deprecated: if it is marked itself or all its signatures are; a single deprecated overload is not enough. */
function isDeprecated(notes: readonly (string | undefined)[]): boolean {
  const [own, ...signatures] = notes;
  if (own !== undefined) return true;
  const real = signatures.slice(0, -1);
  return real.length > 0 && real.every((note) => note !== undefined);
}
