import {
  flagAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '@docent/format/json-value.ts';
import {
  FreePaths,
  type SymbolDocument,
  type SymbolEntry,
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
 * Builds the reference of a library from TypeDoc's JSON, versions 0.20 and later: a page for each
 * module, namespace, class, interface, function, type, enum and variable.
 * @throws Error that says what is invalid
 */
export function readTypedocDocument(text: string): SymbolDocument {
  const root: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (
    !isObject(root) ||
    !Array.isArray(valueAt(root, 'children')) ||
    valueAt(root, 'id') === undefined
  )
    throw new Error('it is not the output of "typedoc --json"');
  const reflections = new Map<string, Reflection>();
  const entries = new Map<string, SymbolEntry>();
  /** Number of a reflection → id of the symbol whose page shows it, and its anchor there. */
  const idsByNumber = new Map<number, string>();
  /** `class Client` → id, for authors who omit the module; the bare name too, for links. */
  const idsByName = new Map<string, string>();
  const paths = new FreePaths();
  addChildren(root, [], []);
  addMembers();
  return {
    entries: [...entries.values()],
    find({ kind, name, parent }) {
      const id =
        idsByName.get(`${kind} ${parent === undefined ? name : `${parent}.${name}`}`) ?? '';
      const member = reflections.get(id);
      return entries.get(id) ?? (member && entryOf(member, [], ''));
    },
    content(id, pathOf) {
      const reflection = reflections.get(id);
      if (!reflection) throw new RangeError(`The reference has no ${id}`);
      const path = (target: string | undefined) =>
        target === undefined ? undefined : pathOf(target);
      const links: LinkResolver = {
        pathOfReflection: (number) => path(idsByNumber.get(number)),
        pathOfName: (name) => path(idsByName.get(name)),
      };
      return new TypedocWriter(links).content(reflection);
    },
  };

  /**
   * @param modules names of the modules around the children; `namespaces` those of the namespaces
   *   inside them
   */
  function addChildren(
    holder: JsonObject,
    modules: readonly string[],
    namespaces: readonly string[],
  ): void {
    if (modules.length + namespaces.length > MAX_DEPTH) return;
    const children = [...listAt(holder, 'documents'), ...listAt(holder, 'children')].filter(
      isObject,
    );
    const byKind = Map.groupBy(children, kindOf);
    for (const child of byKind.get('module') ?? [])
      addModule(child, [...modules, textAt(child, 'name') ?? 'module']);
    for (const [kind, group] of GROUPS)
      for (const child of byKind.get(kind) ?? [])
        addSymbol(kind, group, child, modules, namespaces);
  }

  function addModule(raw: JsonObject, modules: readonly string[]): void {
    const name = modules.join(' / ');
    add(
      { kind: 'module', name, raw, id: `module ${name}` },
      [name],
      modules.map(symbolSlug).join('/'),
    );
    addChildren(raw, modules, []);
  }

  function addSymbol(
    kind: ReflectionKind,
    group: string,
    raw: JsonObject,
    modules: readonly string[],
    namespaces: readonly string[],
  ): void {
    if (flagAt(objectAt(raw, 'flags'), 'isPrivate')) return;
    const ownName = textAt(raw, 'name') ?? 'symbol';
    const name = [...namespaces, ownName].join('.');
    const module = modules.join(' / ');
    const folder = [
      ...modules.map(symbolSlug),
      group.toLowerCase(),
      ...namespaces.map(symbolSlug),
    ].join('/');
    const id = `${kind} ${module && `${module}/`}${name}`;
    add(
      { kind, name, raw, id },
      module === '' ? [group] : [module, group],
      `${folder}/${symbolSlug(ownName)}`,
    );
    if (kind === 'namespace') addChildren(raw, modules, [...namespaces, ownName]);
  }

  function add(reflection: Reflection, groups: readonly string[], path: string): void {
    if (reflections.size >= MAX_SYMBOLS) return;
    let { id } = reflection;
    for (let count = 2; reflections.has(id); count++) id = `${reflection.id} ${count}`;
    reflections.set(id, { ...reflection, id });
    entries.set(id, entryOf({ ...reflection, id }, groups, paths.take(path)));
    register(
      id,
      `${reflection.kind} ${reflection.name}`,
      reflection.name,
      valueAt(reflection.raw, 'id'),
    );
  }

  /** Methods and properties: pages can document one, and links go to the page of the container. */
  function addMembers(): void {
    for (const { raw, name, id } of [...reflections.values()]) {
      for (const child of listAt(raw, 'children')) {
        const kind = kindOf(child);
        const word = kind && MEMBER_KINDS.get(kind);
        if (!isObject(child) || kind === undefined || word === undefined) continue;
        const memberName = `${name}.${textAt(child, 'name') ?? ''}`;
        const memberId = `${word} ${id.slice(id.indexOf(' ') + 1)}.${textAt(child, 'name') ?? ''}`;
        if (!reflections.has(memberId))
          reflections.set(memberId, { kind, name: memberName, raw: child, id: memberId });
        if (!idsByName.has(`${word} ${memberName}`))
          idsByName.set(`${word} ${memberName}`, memberId);
        for (const declaration of [child, ...listAt(child, 'signatures')])
          register(id, '', memberName, valueAt(declaration, 'id'));
      }
    }
  }

  /** Registers a symbol by its names and its number. */
  function register(id: string, full: string, bare: string, number: unknown): void {
    for (const name of [full, bare])
      if (name !== '' && !idsByName.has(name)) idsByName.set(name, id);
    if (typeof number === 'number' && !idsByNumber.has(number)) idsByNumber.set(number, id);
  }
}

function entryOf(reflection: Reflection, groups: readonly string[], path: string): SymbolEntry {
  const { id, name, raw } = reflection;
  const holders = [raw, ...listAt(raw, 'signatures'), valueAt(raw, 'getSignature')];
  const comments = holders.map((holder) => readComment(holder, NO_LINKS));
  const description = summaryOf(comments.find(({ summary }) => summary !== '')?.summary);
  const deprecated = isDeprecated(comments.map((comment) => comment.deprecated));
  return { id, title: name, description, deprecated, groups, path };
}

const NO_LINKS: LinkResolver = { pathOfReflection: () => undefined, pathOfName: () => undefined };

/**
 * Whether a function is deprecated: if it is marked itself or all its signatures are; a single
 * deprecated overload is not enough.
 */
function isDeprecated(notes: readonly (string | undefined)[]): boolean {
  const [own, ...signatures] = notes;
  if (own !== undefined) return true;
  const real = signatures.slice(0, -1);
  return real.length > 0 && real.every((note) => note !== undefined);
}
