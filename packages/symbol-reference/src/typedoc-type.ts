import type { TypePart } from '@docent/format/api-reference/schemas/schema-view.ts';
import { flagAt, isObject, listAt, objectAt, textAt, valueAt } from '@docent/format/json-value.ts';

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
 * Writes a type of TypeDoc's JSON in TypeScript syntax, with the pages of its names. Bounded: what
 * is too deep or too long becomes `…`.
 * @param pathOf returns the page of the reflection with that id
 */
export function typeParts(type: unknown, pathOf: (id: number) => string | undefined): TypePart[] {
  const parts: TypePart[] = [];
  let isFull = false;
  write(type, LOOSE, 0);
  return parts;

  /** @param place precedence of the context */
  function write(type: unknown, place: number, depth: number): void {
    if (isFull) return;
    if (depth > MAX_DEPTH || parts.length > MAX_PARTS) {
      isFull = parts.length > MAX_PARTS;
      writeText('…');
      return;
    }
    const kind = textAt(type, 'type') ?? '';
    const target = kind === 'reference' ? targetOf(type) : undefined;
    const form = FORMS.get(kind);
    if (!form)
      writeText(
        textAt(type, 'name') ?? 'unknown',
        target === undefined ? undefined : pathOf(target),
      );
    const needsBrackets = place > precedenceOf(kind, type);
    if (needsBrackets) writeText('(');
    for (const piece of (form ?? argumentPieces)(type)) writePiece(piece, depth + 1);
    if (needsBrackets) writeText(')');
  }

  function writePiece(piece: Piece, depth: number): void {
    if (typeof piece === 'string') writeText(piece);
    else if ('type' in piece) write(piece.type, piece.place, depth);
    else {
      for (const [index, type] of piece.types.entries()) {
        if (isFull) return;
        if (index > 0) writeText(piece.between);
        write(type, piece.place, depth);
      }
    }
  }

  function writeText(text: string, path?: string): void {
    const last = parts.at(-1);
    if (path !== undefined) parts.push({ text, path });
    else if (last && last.path === undefined) last.text += text;
    else if (text !== '') parts.push({ text });
  }
}

export function partsText(parts: readonly TypePart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** Returns the id of the target of a reference; `target` since 0.24, `id` before. */
function targetOf(type: unknown): number | undefined {
  const target = valueAt(type, 'target') ?? valueAt(type, 'id');
  return typeof target === 'number' && target >= 0 ? target : undefined;
}

/**
 * A part of a written type: text, a type in a context of some precedence, or several with text
 * between them.
 */
type Piece =
  | string
  | { type: unknown; place: number }
  | { types: readonly unknown[]; between: string; place: number };

const loose = (holder: unknown, key: string): Piece => ({
  type: valueAt(holder, key),
  place: LOOSE,
});
const tight = (holder: unknown, key: string): Piece => ({
  type: valueAt(holder, key),
  place: TIGHT,
});
const optional = (isOptional: boolean): string => (isOptional ? '?' : '');

/** Operator precedence of a kind of type. */
function precedenceOf(kind: string, type: unknown): number {
  if (kind === 'union' || kind === 'intersection' || kind === 'inferred') return UNION;
  return kind === 'conditional' ||
    (kind === 'reflection' && isFunction(objectAt(type, 'declaration')))
    ? LOOSE
    : TIGHT;
}

/** How each kind of type is written; all others are names with arguments. */
const FORMS: ReadonlyMap<string, (type: unknown) => readonly Piece[]> = new Map(
  Object.entries<(type: unknown) => readonly Piece[]>({
    literal: (type) => [literalText(valueAt(type, 'value'))],
    array: (type) => [tight(type, 'elementType'), '[]'],
    union: (type) => [{ types: listAt(type, 'types'), between: ' | ', place: UNION }],
    intersection: (type) => [{ types: listAt(type, 'types'), between: ' & ', place: TIGHT }],
    tuple: (type) => ['[', { types: listAt(type, 'elements'), between: ', ', place: LOOSE }, ']'],
    namedTupleMember: namedMember,
    'named-tuple-member': namedMember,
    optional: (type) => [tight(type, 'elementType'), '?'],
    rest: (type) => ['...', tight(type, 'elementType')],
    query: (type) => ['typeof ', tight(type, 'queryType')],
    typeOperator: (type) => [`${textAt(type, 'operator') ?? 'keyof'} `, tight(type, 'target')],
    indexedAccess: (type) => [tight(type, 'objectType'), '[', loose(type, 'indexType'), ']'],
    inferred: (type) => [`infer ${textAt(type, 'name') ?? '_'}`],
    conditional: (type) => [
      tight(type, 'checkType'),
      ' extends ',
      tight(type, 'extendsType'),
      ' ? ',
      loose(type, 'trueType'),
      ' : ',
      loose(type, 'falseType'),
    ],
    mapped,
    predicate: (type) => [
      `${flagAt(type, 'asserts') ? 'asserts ' : ''}${textAt(type, 'name') ?? 'value'}`,
      ...(valueAt(type, 'targetType') === undefined ? [] : [' is ', loose(type, 'targetType')]),
    ],
    templateLiteral,
    'template-literal': templateLiteral,
    reflection: (type) => reflectionPieces(objectAt(type, 'declaration')),
  }),
);

function argumentPieces(type: unknown): Piece[] {
  const types = listAt(type, 'typeArguments');
  return types.length === 0 ? [] : ['<', { types, between: ', ', place: LOOSE }, '>'];
}

function namedMember(type: unknown): Piece[] {
  return [
    `${textAt(type, 'name') ?? '_'}${optional(flagAt(type, 'isOptional'))}: `,
    loose(type, 'element'),
  ];
}

function mapped(type: unknown): Piece[] {
  const modifier = (name: string, word: string) => {
    const value = textAt(type, name);
    return value === undefined ? '' : `${value === '-' ? '-' : ''}${word}`;
  };
  return [
    `{ ${modifier('readonlyModifier', 'readonly ')}[${textAt(type, 'parameter') ?? 'key'} in `,
    loose(type, 'parameterType'),
    ...(valueAt(type, 'nameType') === undefined ? [] : [' as ', loose(type, 'nameType')]),
    `]${modifier('optionalModifier', '?')}: `,
    loose(type, 'templateType'),
    ' }',
  ];
}

function templateLiteral(type: unknown): Piece[] {
  const tail = listAt(type, 'tail').slice(0, MAX_MEMBERS).filter(Array.isArray);
  const filled = tail.flatMap(([inner, text]): Piece[] => [
    '${',
    { type: inner, place: LOOSE },
    `}${typeof text === 'string' ? text : ''}`,
  ]);
  return [`\`${textAt(type, 'head') ?? ''}`, ...filled, '`'];
}

function isFunction(declaration: unknown): boolean {
  return (
    listAt(declaration, 'signatures').length === 1 && listAt(declaration, 'children').length === 0
  );
}

/** An inline function or object type. */
function reflectionPieces(declaration: unknown): Piece[] {
  const signatures = listAt(declaration, 'signatures');
  if (isFunction(declaration)) return functionPieces(signatures[0], ' => ');
  const members = [
    ...signatures.map((signature) => functionPieces(signature, ': ')),
    ...indexSignatures(declaration).map(indexPieces),
    ...listAt(declaration, 'children').map(memberPieces),
  ];
  if (members.length === 0) return ['{}'];
  const innerPieces = members
    .slice(0, MAX_MEMBERS)
    .flatMap((member, index) => [index === 0 ? ' ' : '; ', ...member]);
  return ['{', ...innerPieces, members.length > MAX_MEMBERS ? '; … }' : ' }'];
}

function indexPieces(signature: unknown): Piece[] {
  const [key] = listAt(signature, 'parameters');
  return [
    `[${textAt(key, 'name') ?? 'key'}: `,
    loose(key, 'type'),
    ']: ',
    loose(signature, 'type'),
  ];
}

function memberPieces(member: unknown): Piece[] {
  const name = `${textAt(member, 'name') ?? '_'}${optional(flagAt(objectAt(member, 'flags'), 'isOptional'))}`;
  const [method] = listAt(member, 'signatures');
  if (method !== undefined) return [name, ...functionPieces(method, ': ')];
  const type = valueAt(member, 'type') ?? valueAt(objectAt(member, 'getSignature'), 'type');
  return [`${name}: `, { type, place: LOOSE }];
}

function functionPieces(signature: unknown, arrow: string): Piece[] {
  const parameters = listAt(signature, 'parameters').slice(0, MAX_MEMBERS);
  const inner = parameters.flatMap((parameter, index): Piece[] => {
    const flags = objectAt(parameter, 'flags');
    const name = `${flagAt(flags, 'isRest') ? '...' : ''}${textAt(parameter, 'name') ?? '_'}`;
    return [
      `${index === 0 ? '' : ', '}${name}${optional(flagAt(flags, 'isOptional'))}: `,
      loose(parameter, 'type'),
    ];
  });
  const returned = valueAt(signature, 'type') ?? { type: 'intrinsic', name: 'void' };
  const open = valueAt(signature, 'kind') === CONSTRUCTOR_SIGNATURE ? 'new (' : '(';
  return [open, ...inner, `)${arrow}`, { type: returned, place: LOOSE }];
}

/** Versions before 0.26 have at most one, as a list or as an object. */
export function indexSignatures(declaration: unknown): readonly unknown[] {
  const indexSignature = valueAt(declaration, 'indexSignature');
  const all = listAt(declaration, 'indexSignatures');
  return [
    ...all,
    ...(Array.isArray(indexSignature)
      ? indexSignature
      : isObject(indexSignature)
        ? [indexSignature]
        : []),
  ].slice(0, MAX_MEMBERS);
}

function literalText(value: unknown): string {
  if (isObject(value))
    return `${flagAt(value, 'negative') ? '-' : ''}${textAt(value, 'value') ?? ''}n`;
  return typeof value === 'bigint'
    ? `${value}n`
    : (JSON.stringify(value) ?? 'unknown').slice(0, 500);
}

/**
 * Kind numbers of TypeDoc since 0.24; before, each reflection names its kind too, and some numbers
 * had other meanings.
 */
const KINDS = {
  2: 'module',
  4: 'namespace',
  8: 'enum',
  16: 'enumMember',
  32: 'variable',
  64: 'function',
  128: 'class',
  256: 'interface',
  512: 'constructor',
  1024: 'property',
  2048: 'method',
  262144: 'accessor',
  2097152: 'type',
  4194304: 'reference',
  8388608: 'document',
} as const;

export type ReflectionKind = (typeof KINDS)[keyof typeof KINDS];

/** Kinds with pages and their groups, in the order of the menu. */
export const GROUPS: ReadonlyMap<ReflectionKind, string> = new Map([
  ['document', 'Documents'],
  ['class', 'Classes'],
  ['interface', 'Interfaces'],
  ['function', 'Functions'],
  ['type', 'Types'],
  ['enum', 'Enums'],
  ['variable', 'Variables'],
  ['namespace', 'Namespaces'],
]);

/** By TypeDoc's names of kinds, some of which are not those that we use. */
const NAMED: ReadonlyMap<string, ReflectionKind> = new Map<string, ReflectionKind>([
  ...Object.values(KINDS).map((kind) => [kind, kind] as const),
  ['external module', 'module'],
  ['package', 'module'],
  ['enumeration', 'enum'],
  ['enumeration member', 'enumMember'],
  ['object literal', 'variable'],
  ['type alias', 'type'],
]);

/**
 * Returns the kind of a reflection in TypeDoc's JSON; undefined for kinds without a page or section
 * of their own.
 */
export function kindOf(reflection: unknown): ReflectionKind | undefined {
  const name = textAt(reflection, 'kindString');
  if (name !== undefined) return NAMED.get(name.toLowerCase());
  const number = valueAt(reflection, 'kind');
  return typeof number === 'number' && Object.hasOwn(KINDS, number)
    ? KINDS[number as keyof typeof KINDS]
    : undefined;
}
