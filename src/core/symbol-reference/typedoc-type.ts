import { flagAt, isObject, listAt, objectAt, textAt, valueAt } from '../api-reference/json-value.ts';
import type { TypePart } from '../api-reference/markup/schema-view.ts';

const MAX_DEPTH = 12;
const MAX_PARTS = 120;
const MAX_MEMBERS = 20;

/** The number of that reflection kind in all versions. */
const CONSTRUCTOR_SIGNATURE = 16_384;

/** Operator precedence of types; a type with lower precedence than its context gets parentheses. */
const LOOSE = 0;
const UNION = 1;
const TIGHT = 2;

/**
 * Writes a type of TypeDoc's JSON in TypeScript syntax, with the pages of its names. Bounded: what is too deep or too long
 * becomes `…`.
 * @param pathOf returns the page of the reflection with that id
 */
export function typeParts(type: unknown, pathOf: (id: number) => string | undefined): TypePart[] {
  const draft = new TypeDraft(pathOf);
  draft.write(type, LOOSE, 0);
  return draft.parts;
}

export function partsText(parts: readonly TypePart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** Returns the id of the target of a reference; `target` since 0.24, `id` before. */
function targetOf(type: unknown): number | undefined {
  const target = valueAt(type, 'target') ?? valueAt(type, 'id');
  return typeof target === 'number' && target >= 0 ? target : undefined;
}

/** A type under construction. */
class TypeDraft {
  readonly parts: TypePart[] = [];
  readonly pathOf: (id: number) => string | undefined;
  #isFull = false;

  constructor(pathOf: (id: number) => string | undefined) {
    this.pathOf = pathOf;
  }

  /** @param place precedence of the context */
  write(type: unknown, place: number, depth: number): void {
    if (this.#isFull) return;
    if (depth > MAX_DEPTH || this.parts.length > MAX_PARTS) {
      this.#isFull = this.parts.length > MAX_PARTS;
      this.text('…');
      return;
    }
    const form = FORMS.get(textAt(type, 'type') ?? '');
    if (form) form(this, type, depth + 1, place);
    else this.text(textAt(type, 'name') ?? 'unknown');
  }

  list(types: readonly unknown[], between: string, place: number, depth: number): void {
    for (const [index, type] of types.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.text(between);
      this.write(type, place, depth);
    }
  }

  bracketed(needed: boolean, write: () => void): void {
    if (needed) this.text('(');
    write();
    if (needed) this.text(')');
  }

  text(text: string, path?: string): void {
    const last = this.parts.at(-1);
    if (path !== undefined) this.parts.push({ text, path });
    else if (last && last.path === undefined) last.text += text;
    else if (text !== '') this.parts.push({ text });
  }
}

/** Writes one kind of type. */
type Form = (draft: TypeDraft, type: unknown, depth: number, place: number) => void;

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['literal', (draft, type) => draft.text(literalText(valueAt(type, 'value')))],
  ['reference', writeReference],
  [
    'array',
    (draft, type, depth) => {
      draft.write(valueAt(type, 'elementType'), TIGHT, depth);
      draft.text('[]');
    },
  ],
  [
    'union',
    (draft, type, depth, place) => draft.bracketed(place > UNION, () => draft.list(listAt(type, 'types'), ' | ', UNION, depth)),
  ],
  [
    'intersection',
    (draft, type, depth, place) => draft.bracketed(place >= TIGHT, () => draft.list(listAt(type, 'types'), ' & ', TIGHT, depth)),
  ],
  ['tuple', writeTuple],
  ['namedTupleMember', writeNamedMember],
  ['named-tuple-member', writeNamedMember],
  [
    'optional',
    (draft, type, depth) => {
      draft.write(valueAt(type, 'elementType'), TIGHT, depth);
      draft.text('?');
    },
  ],
  [
    'rest',
    (draft, type, depth) => {
      draft.text('...');
      draft.write(valueAt(type, 'elementType'), TIGHT, depth);
    },
  ],
  [
    'query',
    (draft, type, depth) => {
      draft.text('typeof ');
      draft.write(valueAt(type, 'queryType'), TIGHT, depth);
    },
  ],
  [
    'typeOperator',
    (draft, type, depth) => {
      draft.text(`${textAt(type, 'operator') ?? 'keyof'} `);
      draft.write(valueAt(type, 'target'), TIGHT, depth);
    },
  ],
  [
    'indexedAccess',
    (draft, type, depth) => {
      draft.write(valueAt(type, 'objectType'), TIGHT, depth);
      draft.text('[');
      draft.write(valueAt(type, 'indexType'), LOOSE, depth);
      draft.text(']');
    },
  ],
  [
    'inferred',
    (draft, type, _, place) => draft.bracketed(place >= TIGHT, () => draft.text(`infer ${textAt(type, 'name') ?? '_'}`)),
  ],
  ['conditional', (draft, type, depth, place) => draft.bracketed(place > LOOSE, () => writeConditional(draft, type, depth))],
  ['mapped', writeMapped],
  ['predicate', writePredicate],
  ['templateLiteral', writeTemplate],
  ['template-literal', writeTemplate],
  ['reflection', (draft, type, depth, place) => writeReflection(draft, objectAt(type, 'declaration'), depth, place)],
]);

function writeReference(draft: TypeDraft, type: unknown, depth: number): void {
  const target = targetOf(type);
  draft.text(textAt(type, 'name') ?? 'unknown', target === undefined ? undefined : draft.pathOf(target));
  const given = listAt(type, 'typeArguments');
  if (given.length === 0) return;
  draft.text('<');
  draft.list(given, ', ', LOOSE, depth);
  draft.text('>');
}

function writeTuple(draft: TypeDraft, type: unknown, depth: number): void {
  draft.text('[');
  draft.list(listAt(type, 'elements'), ', ', LOOSE, depth);
  draft.text(']');
}

function writeNamedMember(draft: TypeDraft, type: unknown, depth: number): void {
  draft.text(`${textAt(type, 'name') ?? '_'}${flagAt(type, 'isOptional') ? '?' : ''}: `);
  draft.write(valueAt(type, 'element'), LOOSE, depth);
}

function writeConditional(draft: TypeDraft, type: unknown, depth: number): void {
  draft.write(valueAt(type, 'checkType'), TIGHT, depth);
  draft.text(' extends ');
  draft.write(valueAt(type, 'extendsType'), TIGHT, depth);
  draft.text(' ? ');
  draft.write(valueAt(type, 'trueType'), LOOSE, depth);
  draft.text(' : ');
  draft.write(valueAt(type, 'falseType'), LOOSE, depth);
}

function writeMapped(draft: TypeDraft, type: unknown, depth: number): void {
  const modifier = (name: string, word: string) => {
    const value = textAt(type, name);
    return value === undefined ? '' : `${value === '-' ? '-' : ''}${word}`;
  };
  draft.text(`{ ${modifier('readonlyModifier', 'readonly ')}[${textAt(type, 'parameter') ?? 'key'} in `);
  draft.write(valueAt(type, 'parameterType'), LOOSE, depth);
  if (valueAt(type, 'nameType') !== undefined) {
    draft.text(' as ');
    draft.write(valueAt(type, 'nameType'), LOOSE, depth);
  }
  draft.text(`]${modifier('optionalModifier', '?')}: `);
  draft.write(valueAt(type, 'templateType'), LOOSE, depth);
  draft.text(' }');
}

function writePredicate(draft: TypeDraft, type: unknown, depth: number): void {
  draft.text(`${flagAt(type, 'asserts') ? 'asserts ' : ''}${textAt(type, 'name') ?? 'value'}`);
  if (valueAt(type, 'targetType') === undefined) return;
  draft.text(' is ');
  draft.write(valueAt(type, 'targetType'), LOOSE, depth);
}

function writeTemplate(draft: TypeDraft, type: unknown, depth: number): void {
  draft.text(`\`${textAt(type, 'head') ?? ''}`);
  for (const piece of listAt(type, 'tail').slice(0, MAX_MEMBERS)) {
    if (!Array.isArray(piece)) continue;
    draft.text('${');
    draft.write(piece[0], LOOSE, depth);
    draft.text(`}${typeof piece[1] === 'string' ? piece[1] : ''}`);
  }
  draft.text('`');
}

/** An inline function or object type. */
function writeReflection(draft: TypeDraft, declaration: unknown, depth: number, place: number): void {
  const signatures = listAt(declaration, 'signatures');
  const children = listAt(declaration, 'children');
  if (signatures.length === 1 && children.length === 0) {
    draft.bracketed(place > LOOSE, () => writeFunction(draft, signatures[0], ' => ', depth));
    return;
  }
  const members = [
    ...signatures.map((one) => () => writeFunction(draft, one, ': ', depth)),
    ...indexSignatures(declaration).map((one) => () => writeIndex(draft, one, depth)),
    ...children.map((one) => () => writeMember(draft, one, depth)),
  ];
  draft.text('{');
  for (const [index, write] of members.slice(0, MAX_MEMBERS).entries()) {
    draft.text(index === 0 ? ' ' : '; ');
    write();
  }
  if (members.length > MAX_MEMBERS) draft.text('; …');
  draft.text(members.length === 0 ? '}' : ' }');
}

function writeIndex(draft: TypeDraft, signature: unknown, depth: number): void {
  const [key] = listAt(signature, 'parameters');
  draft.text(`[${textAt(key, 'name') ?? 'key'}: `);
  draft.write(valueAt(key, 'type'), LOOSE, depth);
  draft.text(']: ');
  draft.write(valueAt(signature, 'type'), LOOSE, depth);
}

function writeMember(draft: TypeDraft, member: unknown, depth: number): void {
  draft.text(`${textAt(member, 'name') ?? '_'}${flagAt(objectAt(member, 'flags'), 'isOptional') ? '?' : ''}`);
  const [method] = listAt(member, 'signatures');
  if (method !== undefined) {
    writeFunction(draft, method, ': ', depth);
    return;
  }
  draft.text(': ');
  draft.write(valueAt(member, 'type') ?? valueAt(objectAt(member, 'getSignature'), 'type'), LOOSE, depth);
}

function writeFunction(draft: TypeDraft, signature: unknown, arrow: string, depth: number): void {
  const isConstructor = valueAt(signature, 'kind') === CONSTRUCTOR_SIGNATURE;
  draft.text(isConstructor ? 'new (' : '(');
  for (const [index, parameter] of listAt(signature, 'parameters').slice(0, MAX_MEMBERS).entries()) {
    const flags = objectAt(parameter, 'flags');
    const name = textAt(parameter, 'name') ?? '_';
    const rest = flagAt(flags, 'isRest') ? '...' : '';
    draft.text(`${index === 0 ? '' : ', '}${rest}${name}${flagAt(flags, 'isOptional') ? '?' : ''}: `);
    draft.write(valueAt(parameter, 'type'), LOOSE, depth);
  }
  draft.text(`)${arrow}`);
  draft.write(valueAt(signature, 'type') ?? { type: 'intrinsic', name: 'void' }, LOOSE, depth);
}

/** Versions before 0.26 have at most one, as a list or as an object. */
export function indexSignatures(declaration: unknown): readonly unknown[] {
  const one = valueAt(declaration, 'indexSignature');
  const all = listAt(declaration, 'indexSignatures');
  return [...all, ...(Array.isArray(one) ? one : isObject(one) ? [one] : [])].slice(0, MAX_MEMBERS);
}

function literalText(value: unknown): string {
  if (isObject(value)) return `${flagAt(value, 'negative') ? '-' : ''}${textAt(value, 'value') ?? ''}n`;
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'unknown').slice(0, 500);
}

export type ReflectionKind =
  | 'module'
  | 'namespace'
  | 'enum'
  | 'enumMember'
  | 'variable'
  | 'function'
  | 'class'
  | 'interface'
  | 'constructor'
  | 'property'
  | 'method'
  | 'accessor'
  | 'type'
  | 'reference'
  | 'document';

/** Kind numbers of TypeDoc since 0.24; before, each reflection names its kind too, and some numbers had other meanings. */
const BY_NUMBER: ReadonlyMap<unknown, ReflectionKind> = new Map<unknown, ReflectionKind>([
  [2, 'module'],
  [4, 'namespace'],
  [8, 'enum'],
  [16, 'enumMember'],
  [32, 'variable'],
  [64, 'function'],
  [128, 'class'],
  [256, 'interface'],
  [512, 'constructor'],
  [1024, 'property'],
  [2048, 'method'],
  [262_144, 'accessor'],
  [2_097_152, 'type'],
  [4_194_304, 'reference'],
  [8_388_608, 'document'],
]);

const BY_WORDS: ReadonlyMap<string, ReflectionKind> = new Map<string, ReflectionKind>([
  ['external module', 'module'],
  ['module', 'module'],
  ['package', 'module'],
  ['namespace', 'namespace'],
  ['enumeration', 'enum'],
  ['enumeration member', 'enumMember'],
  ['variable', 'variable'],
  ['object literal', 'variable'],
  ['function', 'function'],
  ['class', 'class'],
  ['interface', 'interface'],
  ['constructor', 'constructor'],
  ['property', 'property'],
  ['method', 'method'],
  ['accessor', 'accessor'],
  ['type alias', 'type'],
  ['reference', 'reference'],
  ['document', 'document'],
]);

/** Returns the kind of a reflection in TypeDoc's JSON; undefined for kinds without a page or section of their own. */
export function kindOf(reflection: unknown): ReflectionKind | undefined {
  const words = textAt(reflection, 'kindString');
  return words === undefined ? BY_NUMBER.get(valueAt(reflection, 'kind')) : BY_WORDS.get(words.toLowerCase());
}
